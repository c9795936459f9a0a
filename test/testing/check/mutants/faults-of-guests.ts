import { kernel, one, type PlantedFault } from "./planted-fault.ts";

const guests = { members: one, invitable: ["Guest"] };
const hooks = { members: one, hooks: true };

/** Faults of invitations and of what hooks say. */
export const faultsOfGuests: readonly PlantedFault[] = [
  {
    name: "asks an invited agent to shut down",
    patches: [kernel("standing.ts", 'invited === null ? "shutdown.request" : "member.shutdown"', '"shutdown.request"')],
    model: guests,
    budgets: { invite: 1, replan: 1 },
    guarantee: "G3",
    problem: "?",
    moves: [],
  },
  {
    name: "waits for an invited agent when it dissolves",
    patches: [kernel("dissolve.ts", "isRunning(draft, token) && !isInvited(draft, token)", "isRunning(draft, token)")],
    model: guests,
    budgets: { invite: 1, dissolve: 1 },
    guarantee: "G7",
    problem: "?",
    moves: [],
  },
  {
    name: "lets a member invite",
    patches: [kernel("commands.ts", '"team.invite": "team_invite",', "")],
    model: guests,
    budgets: { invite: 1 },
    guarantee: "G9",
    problem: "?",
    moves: [],
  },
  {
    name: "puts an invited agent behind somebody who was replaced",
    patches: [kernel("invite.ts", "upstreams.add(successorOf(draft, token))", "upstreams.add(token)")],
    model: guests,
    budgets: { invite: 1, replan: 1 },
    guarantee: "G6",
    problem: "?",
    moves: [],
  },
  {
    name: "takes a delivery that a hook did not let pass",
    patches: [kernel("hooks.ts", 'return { type: "turn.ended", run, k, finish: "hook" };', "return event;")],
    model: hooks,
    budgets: { hook: 1 },
    guarantee: "G3",
    problem: "?",
    moves: [],
  },
  {
    name: "lets hooks keep a member from idling for ever",
    patches: [kernel("hooks.ts", "mayStay && idleBlocks < idleBlocksMax && turns", "mayStay && turns")],
    model: { ...hooks, lifetimes: "persistent" },
    budgets: { hook: 4 },
    guarantee: "G3",
    problem: "?",
    moves: [],
  },
  {
    name: "leaves somebody there whom a hook stopped",
    patches: [kernel("hooks.ts", 'return { type: "member.shutdown" };', "return null;")],
    model: { ...hooks, lifetimes: "persistent" },
    budgets: { hook: 1 },
    guarantee: "G3",
    problem: "?",
    moves: [],
  },
];
