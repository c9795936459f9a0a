import { JetStreamApiError } from "@nats-io/jetstream";
import type { Msg } from "@nats-io/nats-core";

/** What a stream answers to a publish. */
export interface Acknowledged {
  readonly seq: number;
  /** Whether it has had this id before; `seq` is that one's then. */
  readonly isDuplicate: boolean;
}

/** Reads the answer to a publish; one that refuses it is thrown as JetStream's error. */
export function readAnswer(message: Msg): Acknowledged {
  const answer: unknown = message.json();
  if (typeof answer !== "object" || answer === null) throw new Error("the server's answer is none of JetStream's");
  if ("error" in answer && typeof answer.error === "object" && answer.error !== null) {
    // JetStream's own shape; what is missing of it is filled in.
    const { code, err_code, description } = answer.error as { code?: number; err_code?: number; description?: string };
    throw new JetStreamApiError({ code: code ?? 500, err_code: err_code ?? 0, description: description ?? "refused" });
  }
  // Looked at before it is used.
  const { seq, duplicate } = answer as { seq?: number; duplicate?: boolean };
  if (typeof seq !== "number") throw new Error("the server's answer is none of JetStream's");
  // In a cluster the first of two may still be on its way: there is no sequence to give yet.
  if (seq === 0) throw new JetStreamApiError({ code: 503, err_code: 10158, description: "the first is on its way" });
  return { seq, isDuplicate: duplicate === true };
}
