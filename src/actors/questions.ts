import type { Applied, SessionState } from "../machines/index.ts";
import type { Input } from "../protocol/input.ts";

/** What the lead asks the user. */
export interface Question {
  readonly question: string;
  readonly choices: readonly string[];
}

/** Texts that come with an answer and are not read: the oldest go first. */
const answersMax = 256;

/** The texts of questions and of the remarks that come with an answer. Who waits for whom is in the session's state. */
export class Questions {
  readonly #asked = new Map<string, Question>();
  readonly #answers = new Map<string, string>();

  /** Takes in an applied input. */
  record({ event, command }: Input, body: unknown, { replies, verdict }: Applied): void {
    if (verdict !== "handled") return;
    if (event.type === "question.ask" && command !== undefined && "call" in command) {
      // The body of `question.ask` is made by the team port of this package.
      this.#asked.set(command.call, body as Question);
    }
    if (event.type !== "question.answer" && event.type !== "plan.answer") return;
    for (const { to } of replies) {
      this.#asked.delete(to.id);
      this.#answers.set(to.id, typeof body === "string" ? body : "");
    }
    for (const id of this.#answers.keys()) if (this.#answers.size > answersMax) this.#answers.delete(id);
  }

  /** The text that came with the answer to a call; read once. */
  takeAnswer(call: string): string {
    const answer = this.#answers.get(call) ?? "";
    this.#answers.delete(call);
    return answer;
  }

  /** The questions that wait. */
  open(session: SessionState): (Question & { readonly id: string })[] {
    return session.lead.questions.map(({ call }) => ({
      id: call,
      ...(this.#asked.get(call) ?? { question: "", choices: [] }),
    }));
  }
}
