import type { ReactNode } from "react";

/** What stands where there is nothing to show, and why. */
export function Empty({
  title,
  children,
  kind = "empty",
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly kind?: "empty" | "loading" | "error";
}) {
  return (
    <div className={`empty empty-${kind}`} role={kind === "error" ? "alert" : "status"}>
      {kind === "loading" && <span className="spinner" aria-hidden="true" />}
      <p className="empty-title">{title}</p>
      {children !== undefined && <div className="empty-text">{children}</div>}
    </div>
  );
}
