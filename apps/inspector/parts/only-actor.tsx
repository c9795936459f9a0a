import type { ReactElement } from "react";

/** Narrows a list to what concerns the chosen actor; there is nothing to narrow to while none is chosen. */
export function OnlyActor({
  name,
  checked,
  onToggle,
}: {
  readonly name: string | null;
  readonly checked: boolean;
  readonly onToggle: () => void;
}): ReactElement {
  return (
    <label className="check">
      <input type="checkbox" disabled={name === null} checked={checked} onChange={onToggle} /> only{" "}
      {name ?? "the chosen actor"}
    </label>
  );
}
