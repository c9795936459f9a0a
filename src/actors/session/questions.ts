import type { Applied, SessionState } from "../../machines/index.ts";
import type { Input } from "../../protocol/input.ts";
import type { StoredAnswer } from "../../protocol/stored-session.ts";

/** What the lead asks the user. */
export interface Question {
  readonly question: string;
  readonly choices: readonly string[];
}

/** Texts that nobody comes for, since the run that asked has ended: the oldest go first. */
const textsMax = 256;

function forgetOldest(texts: Map<string, unknown>): void {
  for (const key of texts.keys()) if (texts.size > textsMax) texts.delete(key);
}

/** Calls are numbered by providers: two actors may have the same. */
const keyOf = (actor: string, call: string): string => `${actor}|${call}`;

/** The texts of questions and of the remarks that come with an answer. Who waits for whom is in the session's state. */
export class Questions {
  readonly #asked = new Map<string, Question>();
  readonly #answers = new Map<string, string>();

  /** Takes in an applied input. */
  record({ actor, event, command }: Input, body: unknown, { replies, verdict }: Applied): void {
    if (verdict !== "handled") return;
    if (event.type === "question.ask" && command !== undefined && "call" in command) {
      // The body of `question.ask` is made by the team port of this package.
      this.#asked.set(command.call, body as Question);
      forgetOldest(this.#asked);
    }
    if (event.type === "tool.ended") this.#answers.delete(keyOf(actor, event.call));
    if (event.type !== "question.answer" && event.type !== "plan.answer") return;
    for (const { to } of replies) {
      this.#asked.delete(to.id);
      this.#answers.set(keyOf(to.from, to.id), typeof body === "string" ? body : "");
    }
    forgetOldest(this.#answers);
  }

  /** The text that came with the answer to a call of this actor (token). It is kept until the call has its end in the log. */
  answerOf(actor: string, call: string): string {
    return this.#answers.get(keyOf(actor, call)) ?? "";
  }

  /** The texts of the questions that wait, to be stored. */
  toCheckpoint(session: SessionState): { id: string; question: string; choices: string[] }[] {
    return this.open(session).map(({ id, question, choices }) => ({ id, question, choices: [...choices] }));
  }

  /** The texts of answers to calls that have no end yet, to be stored. */
  answersToCheckpoint({ lead, members }: SessionState): StoredAnswer[] {
    const actors = [["lead", lead] as const, ...members];
    return actors.flatMap(([actor, { run }]) =>
      run.calls.flatMap((call) => {
        const text = this.#answers.get(keyOf(actor, call));
        return text === undefined ? [] : [{ actor, call, text }];
      }),
    );
  }

  /** Takes back what was stored. */
  restore(asked: readonly (Question & { readonly id: string })[], answers: readonly StoredAnswer[]): void {
    for (const { id, question, choices } of asked) this.#asked.set(id, { question, choices });
    for (const { actor, call, text } of answers) this.#answers.set(keyOf(actor, call), text);
  }

  /** The questions that wait. */
  open(session: SessionState): (Question & { readonly id: string })[] {
    return session.lead.questions.map(({ call }) => ({
      id: call,
      ...(this.#asked.get(call) ?? { question: "", choices: [] }),
    }));
  }
}
