import { TeamError } from "../../errors/index.ts";

/** A host as lower-case ASCII, every spelling of an address as one; throws `bad_input` for what is no host alone. */
export function hostName(given: unknown): string {
  const bad = (): TeamError =>
    new TeamError("bad_input", {
      what: "host",
      problem: "expected a host name or address, without scheme, port and path",
    });
  if (typeof given !== "string" || !/^(?:[^\s/?#@:\\%]+|\[[0-9A-Fa-f:.]+\])$/u.test(given)) throw bad();
  try {
    const { hostname } = new URL(`http://${given}/`);
    return hostname.replace(/\.$/u, "");
  } catch {
    throw bad();
  }
}
