import { createInterface } from "node:readline/promises";
import type { Host } from "../host.ts";
import { printable } from "../printable.ts";
import type { Attendant } from "./attendant.ts";
import type { Ask } from "./open-asks.ts";

/** A choice given by its number, or the text itself. */
export const chosen = ({ choices }: Pick<Ask, "choices">, text: string): string => {
  const byNumber = /^\s*\d+\s*$/.test(text) ? choices[Number(text) - 1] : undefined;
  return byNumber ?? text.trim();
};

const promptOf = ({ kind, from, text, choices }: Ask): string => {
  const question = `${kind === "question" ? `${printable(from)} asks: ` : ""}${printable(text)}`;
  if (kind !== "question") return `${question} [y/N, or with a note, y: note] `;
  const listed = choices.map((choice, index) => `  ${index + 1}) ${printable(choice)}\n`).join("");
  return `${question}\n${listed}> `;
};

/** What the attendant needs of the process. */
export interface LineAttendantOptions {
  readonly stdin: Host["stdin"];
  readonly stderr: Host["stderr"];
  readonly onFault: (fault: unknown) => void;
  /** Ctrl-C at a prompt. */
  readonly onInterrupt: () => void;
}

/** Asks at a plain terminal, one thing after the other, on stderr so that stdout stays what it is. */
export function lineAttendant({ stdin, stderr, onFault, onInterrupt }: LineAttendantOptions): Attendant {
  let open: readonly Ask[] = [];
  let current: { readonly id: string; readonly abort: AbortController } | null = null;
  let isClosed = false;

  const ask = async (next: Ask, signal: AbortSignal): Promise<void> => {
    const reader = createInterface({ input: stdin, output: stderr, terminal: true });
    reader.on("SIGINT", () => {
      stderr.write("\n");
      onInterrupt();
    });
    try {
      const text = await reader.question(promptOf(next), { signal });
      await next.answer(chosen(next, text));
    } catch (error) {
      // It was answered elsewhere, or its time was over, while the prompt stood there.
      if (!signal.aborted) throw error;
      if (!isClosed) stderr.write("\n(no longer asked)\n");
    } finally {
      reader.close();
    }
  };
  const next = (): void => {
    const [first] = open;
    if (current !== null || first === undefined || isClosed) return;
    const abort = new AbortController();
    current = { id: first.id, abort };
    ask(first, abort.signal)
      .catch(onFault)
      .finally(() => {
        open = open.filter(({ id }) => id !== first.id);
        current = null;
        next();
      });
  };
  return {
    review(asks) {
      open = asks;
      if (current !== null && !asks.some(({ id }) => id === current?.id)) current.abort.abort();
      next();
    },
    close() {
      isClosed = true;
      current?.abort.abort();
    },
  };
}
