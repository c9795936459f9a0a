/** What a hint is about. */
export const HINT_TOPICS = ["auth", "secret", "hot_path", "untested", "entry_point"] as const;

/** One of `HINT_TOPICS`. */
export type HintTopic = (typeof HINT_TOPICS)[number];

/** What one reviewer tells the others about a file, so that they can judge their own findings better. */
export interface Hint {
  /** Name of the reviewer that says so. */
  readonly from: string;
  readonly path: string;
  readonly line?: number;
  readonly topic: HintTopic;
  readonly text: string;
}

const HINT_LINE = /^hint ([a-z_]+) ("(?:[^"\\]|\\.)*"|[^\s":]+)(?::([1-9]\d{0,8}))? (.*)$/u;

/** Texts that stand in a line as they are: no control characters, no quote in front, no blanks at the ends. */
const isPlain = (text: string): boolean => /^(?!["\s])[^\p{Cc}\p{Zl}\p{Zp}\p{Cs}]*$/u.test(text) && !/\s$/u.test(text);

const quoted = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}]/gu,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const unquoted = (text: string): string | null => {
  if (!text.startsWith('"')) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : null;
  } catch {
    // Not a JSON string, so not a hint: the caller gets null, as for any other text.
    return null;
  }
};

/**
 * The hint as one line, `hint <topic> <path>:<line> <text>`, to be sent as a message. Odd paths and texts are quoted as
 * JSON strings. `from` isn't part of it: the runtime says who sent a message, its text does not.
 */
export const formatHint = ({ topic, path, line, text }: Hint): string => {
  const place = /^[^\s":\p{Cc}\p{Cs}]+$/u.test(path) ? path : quoted(path);
  return `hint ${topic} ${place}${line === undefined ? "" : `:${line}`} ${isPlain(text) ? text : quoted(text)}`;
};

/** The hint that `formatHint` wrote, said by `from`; null for any other text. */
export const parseHint = (text: string, from: string): Hint | null => {
  const match = HINT_LINE.exec(text);
  const topic = HINT_TOPICS.find((known) => known === match?.[1]);
  const path = unquoted(match?.[2] ?? '"');
  const remark = unquoted(match?.[4] ?? "");
  if (match === null || topic === undefined || path === null || remark === null) return null;
  return { from, path, ...(match[3] === undefined ? {} : { line: Number(match[3]) }), topic, text: remark };
};
