import { recordedInput, InputLine, Violation, type EventLine } from "teamchart/protocol";
import type { KernelRecord } from "teamchart/machines";

/** What a recording, or a service, said of an event: enough to find out that other machines were at work. */
export interface Told {
  readonly actor: string;
  readonly type: string;
  readonly verdict: EventLine["verdict"];
  readonly status: string | null;
}

/** A line of a recording or of the wire, as far as this page has a use for it. */
export type WireLine =
  | { readonly kind: "input"; readonly record: KernelRecord; readonly told: Told }
  | { readonly kind: "post"; readonly seq: number; readonly told: Told }
  | { readonly kind: "body"; readonly digest: string; readonly value: unknown }
  | { readonly kind: "checkpoint"; readonly value: unknown }
  | {
      readonly kind: "header";
      readonly session: string;
      readonly machines: Readonly<Record<string, string>>;
      readonly violation: Violation | null;
    }
  | { readonly kind: "end"; readonly outcome: string; readonly message: string | null }
  | { readonly kind: "other" };

/** The lines of the wire may go without their hash: nothing here looks at it. */
const Unhashed = InputLine.partial({ hash: true });

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Reads a line. One that is no JSON object, or an input of no known form, throws with what is wrong. */
export function parseWireLine(source: string): WireLine {
  const line: unknown = JSON.parse(source);
  if (!isFields(line)) throw new Error("a line is no JSON object");
  switch (line["type"]) {
    case "event":
      return line["step"] === 0 ? inputOf(line) : { kind: "post", seq: Number(line["seq"]), told: toldOf(line) };
    case "body":
      return { kind: "body", digest: text(line["digest"]), value: line["value"] };
    case "checkpoint":
      return { kind: "checkpoint", value: line["value"] };
    case "header":
      return {
        kind: "header",
        session: text(line["session"]),
        machines: machinesOf(line["machines"]),
        violation: Violation.safeParse(line["violation"]).data ?? null,
      };
    case "result":
      return { kind: "end", outcome: text(line["outcome"]), message: null };
    case "error":
      return { kind: "end", outcome: text(line["code"]), message: text(line["message"]) };
    default:
      return { kind: "other" };
  }
}

function inputOf(line: Fields): WireLine {
  const parsed = Unhashed.safeParse(line);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(
      `the input of sequence ${String(line["seq"])}: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "?"}`,
    );
  }
  return { kind: "input", record: recordedInput({ hash: "", ...parsed.data }), told: toldOf(line) };
}

function toldOf(line: Fields): Told {
  const event = isFields(line["event"]) ? text(line["event"]["type"]) : "";
  // A verdict that no machine gives is a difference, and shown as one.
  const verdict = text(line["verdict"]) as Told["verdict"];
  return { actor: text(line["actor"]), type: event, verdict, status: text(line["status"]) || null };
}

const machinesOf = (value: unknown): Readonly<Record<string, string>> =>
  isFields(value) ? Object.fromEntries(Object.entries(value).map(([name, hash]) => [name, text(hash)])) : {};
