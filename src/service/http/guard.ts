import { createHash, timingSafeEqual } from "node:crypto";
import { TeamError } from "../../errors/index.ts";

/** Who may ask, and from where. */
export interface GuardOptions {
  /** The token that every guarded route needs; null where the app that the service is mounted in has asked already. */
  readonly token: string | null;
  /** Values of the Host header that are answered: names, or names with a port. Null = any. */
  readonly hosts: readonly string[] | null;
}

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Whether two texts are equal, in a time that tells nothing of where they differ. */
const isEqual = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b));

/** A host as `name` and `name:port`, in lower case; null for what is none. */
function parseHost(host: string): { readonly name: string; readonly full: string } | null {
  if (!/^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(host)) return null;
  // A name or port that no address can have is none.
  if (!URL.canParse(`http://${host}`)) return null;
  const full = host.toLowerCase();
  return { name: full.replace(/:\d+$/, ""), full };
}

/** The host of an origin, with its port when it has one; null for `null` and whatever else is no web page's. */
function hostOfOrigin(origin: string): string | null {
  try {
    const { protocol, host, pathname, search, hash } = new URL(origin);
    const isBare = pathname === "/" && search === "" && hash === "" && !origin.endsWith("/");
    return isBare && (protocol === "http:" || protocol === "https:") ? host : null;
  } catch {
    return null;
  }
}

/**
 * Refuses what did not come from where it must: a foreign Host (DNS rebinding), a foreign or `null` Origin, a page of
 * another site. Nothing in a header can make it throw anything else.
 */
export function requireOrigin(request: Request, { hosts }: GuardOptions): void {
  const given = request.headers.get("host") ?? new URL(request.url).host;
  const host = parseHost(given);
  const isKnown = host !== null && (hosts === null || hosts.includes(host.full) || hosts.includes(host.name));
  if (!isKnown) throw new TeamError("forbidden_origin", { origin: `the host "${shown(given)}"` });
  const origin = request.headers.get("origin");
  if (origin !== null && hostOfOrigin(origin) !== withoutDefaultPort(origin, host.full)) {
    throw new TeamError("forbidden_origin", { origin: `"${shown(origin)}"` });
  }
  const site = request.headers.get("sec-fetch-site");
  const isNavigation = request.method === "GET" && request.headers.get("sec-fetch-mode") === "navigate";
  if (site !== null && site !== "same-origin" && site !== "none" && !isNavigation) {
    throw new TeamError("forbidden_origin", { origin: "pages of other sites" });
  }
}

/** The host as URLs show it: without the port that its scheme has anyway. */
function withoutDefaultPort(origin: string, host: string): string {
  return new URL(`${origin.startsWith("https:") ? "https" : "http"}://${host}`).host;
}

/** Refuses whoever doesn't have the token. */
export function requireToken(request: Request, { token }: GuardOptions): void {
  if (token === null) return;
  const given = /^Bearer ([^\s]{1,500})$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (given === undefined || !isEqual(given, token)) throw new TeamError("unauthorized", {});
}

/** Refuses a write that a form or a script of another site could have made. */
export function requireWrite(request: Request): void {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new TeamError("bad_input", {
      what: "content-type",
      problem: `expected application/json, not "${shown(type ?? "")}"`,
    });
  }
  if (request.headers.get("x-teamchart") !== "1") {
    throw new TeamError("bad_input", { what: "x-teamchart", problem: "expected the header x-teamchart: 1" });
  }
}

const shown = (text: string): string => text.slice(0, 100);
