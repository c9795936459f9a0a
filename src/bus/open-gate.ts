import { TeamError } from "../errors/index.ts";

/** What whoever asks a closed bus is told. */
export const busClosed = (): TeamError<"bus_unavailable"> =>
  new TeamError("bus_unavailable", { reason: "it is closed" });

/** Whether a bus is still open: asked first by whatever a caller may ask. */
export class OpenGate {
  #isOpen = true;

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Throws `bus_unavailable` once the bus was closed. */
  requireOpen(): void {
    if (!this.#isOpen) throw busClosed();
  }

  shut(): void {
    this.#isOpen = false;
  }
}
