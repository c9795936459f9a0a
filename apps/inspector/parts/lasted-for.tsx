import { useShown } from "../session-context.ts";
import { useClock } from "../use-clock.ts";
import { spanText } from "./format.ts";

/** How long something has lasted by now: `for 3 min`. Nothing for what has only begun. */
export function LastedFor({ since, word = "for" }: { readonly since: number; readonly word?: string }) {
  const at = useShown(({ session }) => session.at);
  const ms = (useClock() ?? at) - since;
  return ms > 0 && <span className="dim">{`${word} ${spanText(ms)}`.trim()}</span>;
}
