/** What a member is that the team did not create: an agent with a life of its own, which the team only borrows. */
export interface InvitedAgent {
  /** Its name outside of the team. */
  readonly agent: string;
  /** Turns from a start or wake to the next idle; null = those of the limits. */
  readonly turnsMax: number | null;
  /** Model steps of one turn; 0 = it has none. Left out = those of the limits. */
  readonly stepsMax?: number;
}
