import type { BodyRef } from "teamchart/protocol";
import { jsonText, LongText } from "../parts/json-text.tsx";
import { useBody } from "../session-context.ts";

/** The text of a body, fetched when it is looked at. With `field`, that field of it where it has one. */
export function BodyText({ body, field }: { readonly body: BodyRef | null; readonly field?: string }) {
  const known = useBody(body);
  if (body === null) return null;
  if (known.state === "loading")
    return (
      <p className="dim" role="status">
        Loading the text…
      </p>
    );
  if (known.state === "missing") return <p className="dim">{known.why}</p>;
  const { value } = known;
  const own =
    field !== undefined && typeof value === "object" && value !== null && field in value
      ? value[field as keyof typeof value]
      : value;
  return <LongText text={jsonText(own)} mono={typeof own !== "string"} />;
}
