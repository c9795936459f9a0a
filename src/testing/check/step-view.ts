import { displayName, type SessionState } from "../../machines/index.ts";
import type { InputEvent } from "../../protocol/input.ts";
import { frozen } from "./frozen.ts";
import type { TakenStep } from "./judge.ts";
import type { Step } from "./properties.ts";

/** A step as a property sees it; `onName` is told when it is asked whose step it is. */
export function readStep(
  { before, after, move, record, applied }: TakenStep,
  onName: (name: string) => void = () => {},
): Step {
  const change = (key: keyof Step["mail"]): number => after.mail[key] - before.mail[key];
  const { input } = record ?? {};
  const told = (token: string): string => {
    const name = displayName(after, (each) => after.members.get(each), token);
    if (after.members.has(token)) onName(name);
    return name;
  };
  const step: Step<InputEvent | null> = {
    get move() {
      const named = namesIn(after, move.name);
      if (named !== null) onName(named);
      return move.name;
    },
    get event() {
      return input === undefined ? null : watchedEvent(after, input.event, onName);
    },
    // A move of the protocol alone is nobody's input.
    get from() {
      return input === undefined ? "protocol" : told(input.from);
    },
    get actor() {
      return input === undefined ? "protocol" : told(input.actor);
    },
    verdict: applied.verdict,
    posts: frozen(applied.steps.slice(1).map(({ event }) => event.type)),
    mail: frozen({
      accepted: change("accepted"),
      delivered: change("delivered"),
      deadLettered: change("deadLettered"),
      refused: change("refused"),
    }),
  };
  // Only beside a protocol is an event null, and the properties of such a model are typed for it.
  return Object.freeze(step) as Step;
}

/** A member that a text speaks of, or null. */
function namesIn(session: SessionState, text: string): string | null {
  for (const { name, token } of session.members.values()) if (text.includes(name) || text.includes(token)) return name;
  return null;
}

/** An event that tells when a field is read that speaks of a member: a recipient, a call, a timer's key. */
function watchedEvent(session: SessionState, event: InputEvent, onName: (name: string) => void): InputEvent {
  return new Proxy(event, {
    get(target, field, receiver) {
      // Reflect gives `any`.
      const value: unknown = frozen(Reflect.get(target, field, receiver));
      const named = field !== "type" && typeof value === "string" ? namesIn(session, value) : null;
      if (named !== null) onName(named);
      return value;
    },
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
  });
}
