import { ReplaySubject, filter, firstValueFrom, map, take, type Subscription } from "rxjs";
import { TeamError } from "../../errors/index.ts";
import type { CommandKey } from "../../protocol/input.ts";
import { byteLength } from "../../protocol/names.ts";
import { expectReply } from "./expect-reply.ts";
import type { AppliedRecord } from "../owner/owner.ts";
import { parseInput } from "../parse-input.ts";
import { PromptText } from "./session-inputs.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";

/** How the turn that read a prompt has ended. */
type TurnEnd = { readonly answer: string } | { readonly failure: string };

/** A command that belongs to no run. */
type ClientCommand = Extract<CommandKey, { client: string }>;

/** A log gives back what was appended, not always the same object. */
const isSameCommand = (a: CommandKey, b: ClientCommand): boolean =>
  "client" in a && a.client === b.client && a.n === b.n;

/**
 * Follows a prompt of the user to the end of the turn that reads it: a lead may be in a turn that doesn't, and may enter
 * the next one before anybody looks. A run that is lost is repeated in the same turn, so it is turns that are followed
 * and not runs.
 */
class PromptTurn {
  readonly #runtime: SessionRuntime;
  readonly #command: ClientCommand;
  readonly #records: Subscription;
  readonly #end = new ReplaySubject<TurnEnd>(1);
  /** Id of the prompt, which is that of its mail; null until it is in the log. */
  #mail: string | null = null;
  #isRead = false;

  /** Begins to follow; the prompt is appended with this command afterwards. */
  constructor(runtime: SessionRuntime, command: ClientCommand) {
    this.#runtime = runtime;
    this.#command = command;
    this.#records = runtime.owner.records$
      .pipe(
        map((record) => this.#endBy(record)),
        filter((end) => end !== null),
        take(1),
      )
      .subscribe(this.#end);
  }

  /** The answer of that turn. Rejects with `lead_failed` when it failed, `fenced` when the session was closed before. */
  async answer(): Promise<string> {
    const end = await firstValueFrom(this.#end, { defaultValue: null });
    if (end === null) throw new TeamError("fenced", { reason: "the session was closed", closed: true });
    if ("failure" in end) throw new TeamError("lead_failed", { reason: end.failure });
    return end.answer;
  }

  /** Gives up following, as when the prompt was refused. */
  close(): void {
    this.#records.unsubscribe();
  }

  #endBy({ stored, applied }: AppliedRecord): TurnEnd | null {
    const { id, actor, event, command, body } = stored.input;
    if (this.#mail === null) {
      if (command !== undefined && isSameCommand(command, this.#command) && applied.verdict === "handled")
        this.#mail = id;
      return null;
    }
    if (actor === "lead" && applied.verdict === "handled") {
      if (event.type === "run.injected" && event.mail.includes(this.#mail)) this.#isRead = true;
      if (event.type === "turn.ended" && this.#isRead) return { answer: this.#textOf(body?.digest) };
    }
    const { snapshot, failure } = this.#runtime.state.lead;
    // A turn that fails before it has read the prompt leaves it to the next one, which only another prompt begins.
    return failure !== null && !this.#runtime.facts.lead(snapshot).live ? { failure } : null;
  }

  #textOf(digest: string | undefined): string {
    const body = digest === undefined ? undefined : this.#runtime.owner.bodies.get(digest);
    return answerText(body) ?? "";
  }
}

/** The text in the body of a turn's end, or null. */
const answerText = (body: unknown): string | null =>
  typeof body === "object" && body !== null && "text" in body ? String(body.text) : null;

/** Says something to the hosted lead and resolves with the answer of the turn that reads it. */
export async function sendPrompt(runtime: SessionRuntime, text: string): Promise<string> {
  const body = parseInput(PromptText, text, "text");
  const { owner } = runtime;
  const command = owner.nextKey();
  const turn = new PromptTurn(runtime, command);
  const event = { type: "lead.prompt", bytes: byteLength(body) } as const;
  try {
    expectReply(await owner.command({ actor: "lead", from: "user", event, body, command }), "accepted");
    return await turn.answer();
  } finally {
    turn.close();
  }
}

/** The answer of the lead's last turn, or null. */
export function lastAnswer({ state, owner }: SessionRuntime): string | null {
  const { answer } = state.lead;
  return answer === null ? null : answerText(owner.bodies.get(answer.digest));
}
