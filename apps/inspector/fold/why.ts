import type { FactReader, MemberRecord, SessionState } from "teamchart/machines";
import { memberMark, type Mark } from "./actors.ts";

/** An upstream that somebody waits for, and what that one waits for itself. */
export interface Unmet {
  readonly name: string;
  readonly state: Mark;
  /** What its run does, or null. */
  readonly activity: string | null;
  readonly reason: string | null;
  /** Since when it is in this state, ms of the wall clock. */
  readonly since: number;
  readonly waitsFor: readonly Unmet[];
}

/** Why a member stands where it stands. */
export interface Why {
  /** The answer in a sentence. */
  readonly sentence: string;
  /** What it waits for, with its own causes below; the first cause of a chain is the deepest. */
  readonly unmet: readonly Unmet[];
  /** Members at the ends of the chains: whoever acts on them moves this one. */
  readonly roots: readonly Unmet[];
}

/** How deep a chain of causes is followed. */
const depthMax = 50;
const namesMax = 4;

/** Says why a blocked member is blocked; null for one that isn't. */
export function whyBlocked(session: SessionState, member: MemberRecord, facts: FactReader): Why | null {
  if (memberMark(member, facts) !== "blocked") return null;
  const seen = new Set<string>();
  const unmet = unmetOf({ session, facts, seen }, member, 0);
  const roots = rootsOf(unmet);
  return { sentence: sentenceOf(member.name, unmet, roots), unmet, roots };
}

interface Walk {
  readonly session: SessionState;
  readonly facts: FactReader;
  /** Whose causes were told already: a graph is told as a tree without repeating a branch. */
  readonly seen: Set<string>;
}

function unmetOf(walk: Walk, member: MemberRecord, depth: number): Unmet[] {
  const { session, facts, seen } = walk;
  const found = member.dependsOn.flatMap((token): Unmet[] => {
    const upstream = session.members.get(token);
    if (upstream === undefined) return [];
    const { work, activity } = facts.member(upstream.snapshot);
    if (work === "completed") return [];
    const isKnown = seen.has(token) || depth >= depthMax;
    seen.add(token);
    const waitsFor = work === "blocked" && !isKnown ? unmetOf(walk, upstream, depth + 1) : [];
    return [{ name: upstream.name, state: work, activity, reason: upstream.reason, since: upstream.since, waitsFor }];
  });
  return found.toSorted((a, b) => rank(a) - rank(b));
}

/** What has stopped stands before what goes on. */
const rank = ({ state }: Unmet): number => (state === "failed" ? 0 : state === "cancelled" ? 1 : 2);

/** Those that wait for nobody themselves, each once, the failed ones first. */
function rootsOf(unmet: readonly Unmet[]): Unmet[] {
  const found = new Map<string, Unmet>();
  const visit = (each: Unmet): void => {
    if (each.state !== "blocked") found.set(each.name, each);
    each.waitsFor.forEach(visit);
  };
  unmet.forEach(visit);
  return [...found.values()].toSorted((a, b) => rank(a) - rank(b));
}

function sentenceOf(name: string, unmet: readonly Unmet[], roots: readonly Unmet[]): string {
  if (unmet.length === 0) return `${name} waits to be started.`;
  const waits = `${name} waits for ${list(unmet.map((each) => each.name))}.`;
  const stopped = roots.filter(({ state }) => state === "failed" || state === "cancelled");
  if (stopped.length === 0)
    return `${waits} ${list(roots.map((each) => each.name))} ${roots.length === 1 ? "is" : "are"} at work.`;
  const [first, ...others] = stopped;
  const reason = first?.reason === null || first === undefined ? "" : ` (${first.reason})`;
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  return `${waits} ${first?.name ?? ""} ${first?.state ?? ""}${reason}${more}: nothing happens here until the team is replanned.`;
}

/** Names in a sentence, the first few of many. */
function list(names: readonly string[]): string {
  if (names.length <= 1) return names[0] ?? "nobody";
  if (names.length > namesMax) return `${names.slice(0, namesMax).join(", ")} and ${names.length - namesMax} more`;
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}
