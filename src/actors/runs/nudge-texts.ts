/** Said to a member that ended its turn without delivering. */
export const nudgeText =
  "You ended your turn without calling complete, so nobody has your result. If your task is done, call complete now; otherwise go on.";

/** Said to a lead whose team has changed. */
export const leadNudgeText = "Something changed in your team; look at team_status.";
