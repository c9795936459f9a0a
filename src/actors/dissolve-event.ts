import type { InputOf } from "../protocol/input.ts";
import type { DissolveSpec } from "../protocol/spec.ts";

/** The event of a dissolve. */
export const dissolveEvent = ({ mode, graceMs, reason }: DissolveSpec): InputOf<"team.dissolve"> => ({
  type: "team.dissolve",
  mode,
  ...(graceMs === undefined ? {} : { graceMs }),
  ...(reason === undefined ? {} : { reason }),
});
