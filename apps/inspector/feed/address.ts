/** The place that a link leads to. */
export interface Place {
  readonly session: string | null;
  readonly view: string | null;
  /** Display name of an actor. */
  readonly actor: string | null;
  /** Sequence that is looked at; null = the end. */
  readonly seq: number | null;
  /** Number of a task of the team's board. */
  readonly task: number | null;
}

const tokenKey = "teamchart.token";

/** Where a token is kept while the tab is open. */
type TokenStore = Pick<Storage, "getItem" | "setItem">;

/** Takes the token out of an address: it comes in the fragment, which no server sees, and is kept for this tab. */
export function takeToken(hash: string, store: TokenStore): { readonly token: string | null; readonly hash: string } {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const token = fields.get("token");
  if (token === null) return { token: store.getItem(tokenKey), hash };
  store.setItem(tokenKey, token);
  fields.delete("token");
  const rest = fields.toString();
  return { token, hash: rest === "" ? "" : `#${rest}` };
}

/** Reads the fragment of an address. */
export function placeOf(hash: string): Place {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const numberOf = (key: string): number | null => {
    const value = Number(fields.get(key) ?? Number.NaN);
    return Number.isInteger(value) && value >= 0 ? value : null;
  };
  return {
    session: fields.get("session"),
    view: fields.get("view"),
    actor: fields.get("actor"),
    seq: numberOf("seq"),
    task: numberOf("task"),
  };
}

/** The fragment of a place. */
export function hashOf({ session, view, actor, seq, task }: Place): string {
  const fields = new URLSearchParams();
  if (session !== null) fields.set("session", session);
  if (view !== null) fields.set("view", view);
  if (actor !== null) fields.set("actor", actor);
  if (seq !== null) fields.set("seq", String(seq));
  if (task !== null) fields.set("task", String(task));
  return `#${fields.toString()}`;
}
