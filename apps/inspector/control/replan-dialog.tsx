import { useMemo, useState } from "react";
import { membersInOrder } from "teamchart/machines";
import { words } from "../fold/actors.ts";
import { useSession, useShown } from "../session-context.ts";
import { Dialog } from "./dialog.tsx";
import { OperationFields } from "./operation-fields.tsx";
import { PlanMap } from "./plan-map.tsx";
import { previewReplan, type Preview } from "./replan-preview.ts";
import { emptyOperation, isFilled, operationText, replanSpec, type Operation } from "./replan-spec.ts";

type Row = { readonly id: number; readonly operation: Operation };

const kinds = ["add", "cancel", "retry", "rewire", "shutdown"] as const;

/** Changes the plan of the running team: what it would do is drawn before it is sent. */
export function ReplanDialog({ onClose }: { readonly onClose: () => void }) {
  const { command, model } = useSession();
  const session = useShown((shown) => shown.session);
  const names = useMemo(() => membersInOrder(session).map(({ name }) => name), [session]);
  const agentTypes = session.config?.agentTypes.map(({ name }) => name) ?? ["general"];
  const [rows, setRows] = useState<readonly Row[]>([]);
  const [reason, setReason] = useState("");
  // The plan is made on what its author sees now: a change in between makes it stale, and it is refused.
  const [revision] = useState(session.revision);
  const operations = rows.map(({ operation }) => operation);
  const isReady = operations.length > 0 && operations.every(isFilled);
  const spec = isReady ? replanSpec(operations, revision, reason) : null;
  const preview = spec === null ? null : previewReplan(model.timeline.kernel, model.timeline.head, spec);
  if (command === null) return null;
  const add = (kind: Operation["kind"]): void => {
    const operation = emptyOperation(kind, names[0] ?? "", agentTypes[0] ?? "general");
    setRows([...rows, { id: (rows.at(-1)?.id ?? 0) + 1, operation }]);
  };
  return (
    <Dialog
      title="Replan the team"
      action="Apply the plan"
      isReady={preview !== null && "members" in preview}
      onClose={onClose}
      onConfirm={() => command("replan", { spec })}
    >
      <p className="dim">
        A plan is applied whole, or not at all. Below is what it would do, judged by the machines that will judge it.
      </p>
      {rows.map(({ id, operation }, index) => (
        <OperationFields
          key={id}
          operation={operation}
          names={names}
          agentTypes={agentTypes}
          onChange={(next) => setRows(rows.with(index, { id, operation: next }))}
          onRemove={() => setRows(rows.toSpliced(index, 1))}
        />
      ))}
      <div className="actions" role="group" aria-label="Add a change">
        {kinds.map((kind) => (
          <button key={kind} type="button" className="button" onClick={() => add(kind)}>
            + {operationText[kind]}
          </button>
        ))}
      </div>
      <input
        type="text"
        maxLength={600}
        value={reason}
        placeholder="Why (optional)"
        aria-label="Why"
        onChange={(event) => setReason(event.target.value)}
      />
      <PreviewPane preview={preview} isEmpty={operations.length === 0} />
    </Dialog>
  );
}

function PreviewPane({ preview, isEmpty }: { readonly preview: Preview | null; readonly isEmpty: boolean }) {
  if (preview === null)
    return (
      <p className="dim">
        {isEmpty
          ? "Add a change to see what the team would look like."
          : "Fill in every change to see what it would do."}
      </p>
    );
  if ("problems" in preview)
    return (
      <div className="notice notice-error" role="alert">
        <p>This plan would be refused:</p>
        <ul>
          {preview.problems.map((problem) => (
            <li key={problem} className="wrap">
              {problem}
            </li>
          ))}
        </ul>
      </div>
    );
  const changed = preview.members.filter(({ before, after }) => before !== after);
  return (
    <section aria-label="What the plan would do">
      <PlanMap members={preview.members} />
      <ul className="plan-changes">
        {changed.map(({ name, before, after }) => (
          <li key={name}>
            <strong>{name}</strong>: {before === null ? "new" : words(before)} → {words(after)}
          </li>
        ))}
        {changed.length === 0 && <li>Nobody's state changes at once.</li>}
      </ul>
    </section>
  );
}
