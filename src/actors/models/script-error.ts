/** Where a script failed. */
interface Place {
  readonly actor: string;
  readonly call: number;
  readonly position: number;
}

/** A script that can't go on: it has no entry left, or what it waited for cannot come any more. Failure class `script`. */
export class ScriptError extends Error {
  /** Whose script it is; "" where the script names nobody. */
  readonly actor: string;
  /** Which entry failed, counted from 1. */
  readonly call: number;
  /** How many entries are used up, this failure included. */
  readonly position: number;

  constructor(message: string, { actor, call, position }: Place) {
    super(message);
    this.name = "ScriptError";
    this.actor = actor;
    this.call = call;
    this.position = position;
  }
}
