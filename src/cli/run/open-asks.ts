import { isTeamError, type EventLine, type PermissionRequestStatus, type Session } from "../../index.ts";

/** Something that waits for the user's word. */
export interface Ask {
  readonly id: string;
  readonly kind: "permission" | "plan" | "question";
  /** Who asks, by name. */
  readonly from: string;
  /** What is asked, as its author wrote it. */
  readonly text: string;
  readonly choices: readonly string[];
  /** Answers it; a yes or no for permissions and plans. An ask that is over by then is left alone. */
  answer(text: string): Promise<void>;
}

const noteCharsMax = 600;

/** A yes or no, each with a note behind a colon if there is one. Whatever is neither is a no, and a note of its own. */
function verdictOf(text: string): { readonly approve: boolean; readonly note: string } {
  const groups = /^\s*(?<word>y(?:es)?|no?)\s*(?::(?<note>.*))?$/isu.exec(text)?.groups;
  const note = (groups === undefined ? text : (groups["note"] ?? "")).trim();
  return { approve: /^y/iu.test(groups?.["word"] ?? ""), note };
}

/** The answer to a permission; its note is cut to what a note may hold. */
export function permissionAnswer(text: string): { readonly approve: boolean; readonly note?: string } {
  const { approve, note } = verdictOf(text);
  return { approve, ...(note === "" ? {} : { note: note.slice(0, noteCharsMax).toWellFormed() }) };
}

/** What a request is about, for whoever reads it before a yes or no. */
export function permissionText({ member, kind, tool, input, target, chains = [] }: PermissionRequestStatus): string {
  const what =
    kind === "network"
      ? `reach ${target ?? "a host"} with ${tool}`
      : kind === "mode"
        ? `have the mode ${tool}`
        : `use ${tool}`;
  const isShown = kind !== "network" && input !== undefined && input !== "{}";
  // The first way is the task that it has anyway.
  const told = chains.slice(1).map((chain) => chain.join(" > "));
  const by = told.length === 0 ? "" : ` Told by: ${told.join("; ")}.`;
  return `May ${member} ${what}${isShown ? ` with ${input}` : ""}?${by}`;
}

/** What waits for the user, brought up to date with every event. */
export interface OpenAsks {
  readonly asks: readonly Ask[];
  /** Takes in an event; true when the asks may have changed. */
  take(line: EventLine): boolean;
  /** Looks what a session asks that was there before. */
  look(): void;
  close(): void;
}

/** Ends well when somebody else, or the time limit, was faster. */
async function settle(answer: Promise<void>): Promise<void> {
  try {
    await answer;
  } catch (error) {
    const isOver = ["already_answered", "unknown_permission", "unknown_member", "fenced", "no_team"] as const;
    if (!isOver.some((code) => isTeamError(error, code))) throw error;
  }
}

const concerns = /^(?:permission|question|plan)\./;

/** A plan, and the place of its event, which tells it from the member's next one. */
interface SubmittedPlan {
  readonly text: string;
  readonly at: number;
}

/** Follows what a session asks its user. */
export function openAsks(session: Session): OpenAsks {
  const plans = new Map<string, SubmittedPlan>();
  let body: unknown = null;
  // Plans are bodies, which event lines leave out. A record comes before its lines.
  const bodies = session.records$.subscribe(({ stored }) => {
    if (stored.input.event.type === "plan.submit") body = stored.body;
  });
  let asks: readonly Ask[] = [];
  return {
    get asks() {
      return asks;
    },
    take(line) {
      const { type } = line.event;
      if (type === "plan.submit" && line.step === 0)
        plans.set(line.actor, { text: typeof body === "string" ? body : "", at: line.seq });
      // Everything else can only end an ask, so it costs nothing while there is none.
      if (asks.length === 0 && !concerns.test(type)) return false;
      asks = collect(session, plans);
      return true;
    },
    look: () => void (asks = collect(session, plans)),
    close: () => bodies.unsubscribe(),
  };
}

function collect(session: Session, plans: ReadonlyMap<string, SubmittedPlan>): Ask[] {
  const { permissionRequests, members } = session.status();
  const permissions = permissionRequests
    .filter(({ approver }) => approver === "user" || session.state.config?.lead === "none")
    .map((request): Ask => {
      const { id, member } = request;
      const answer = (word: string) => settle(session.answerPermission({ request: id, ...permissionAnswer(word) }));
      return { id, kind: "permission", from: member, text: permissionText(request), choices: ["yes", "no"], answer };
    });
  const questions = session.questions.map(({ id, question, choices }): Ask => {
    const answer = (text: string) => settle(session.answerQuestion(id, text));
    return { id, kind: "question", from: "Lead", text: question, choices, answer };
  });
  const planned = members
    .filter(({ activity }) => activity === "waiting_plan_approval")
    .map(({ name, plan }): Ask => {
      const submitted = plans.get(name);
      const text = `May ${name} go on with this plan? ${submitted?.text ?? plan ?? ""}`;
      const answer = (word: string) => {
        const { approve, note } = verdictOf(word);
        return settle(session.answerPlan(name, { approve, feedback: note }));
      };
      return {
        id: `plan of ${name}, ${submitted?.at ?? "before"}`,
        kind: "plan",
        from: name,
        text,
        choices: ["yes", "no"],
        answer,
      };
    });
  return [...permissions, ...questions, ...planned];
}
