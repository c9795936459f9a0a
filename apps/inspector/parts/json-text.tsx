import { useState } from "react";

const charsMax = 4_000;

/** A value as text: strings as they are, the rest as JSON. */
export function jsonText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value, null, 2) ?? String(value);
  } catch {
    // A cycle: nothing that came by JSON has one, and a page must not fail for it.
    return String(value);
  }
}

/** A text of any length: what is long is cut until somebody asks for all of it. */
export function LongText({ text, mono = false }: { readonly text: string; readonly mono?: boolean }) {
  const [isWhole, setIsWhole] = useState(false);
  const isLong = text.length > charsMax;
  return (
    <div className={mono ? "long-text mono" : "long-text"}>
      <div className="long-text-body">{isLong && !isWhole ? `${text.slice(0, charsMax).toWellFormed()}…` : text}</div>
      {isLong && (
        <button type="button" className="link" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? "Show less" : `Show all ${text.length} characters`}
        </button>
      )}
    </div>
  );
}
