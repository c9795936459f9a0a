import type { Ask } from "./open-asks.ts";

/** Who answers for the user. */
export interface Attendant {
  /** Told of everything that waits, whenever that changes. */
  review(asks: readonly Ask[]): void;
  close(): void;
}
