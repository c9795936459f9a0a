import type { ReactNode } from "react";

/** A named field of a form. */
export function Field({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <label className="field">
      <span>{label}</span>
      {children}
    </label>
  );
}

/** One of some texts; the empty one is shown as `none`. */
export function Choice({
  label,
  value,
  values,
  none = "nobody",
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly values: readonly string[];
  readonly none?: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      {values.map((each) => (
        <option key={each} value={each}>
          {each === "" ? none : each}
        </option>
      ))}
    </select>
  );
}
