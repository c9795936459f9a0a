import { Choice, Field } from "../parts/fields.tsx";
import { operationText, type Operation } from "./replan-spec.ts";

interface FieldsProps {
  readonly operation: Operation;
  readonly names: readonly string[];
  readonly agentTypes: readonly string[];
  readonly onChange: (operation: Operation) => void;
  readonly onRemove: () => void;
}

/** The fields of one change of a plan. */
export function OperationFields({ operation, names, agentTypes, onChange, onRemove }: FieldsProps) {
  const { kind } = operation;
  return (
    <fieldset className="operation">
      <legend>{operationText[kind]}</legend>
      {kind === "add" ? (
        <AddFields operation={operation} names={names} agentTypes={agentTypes} onChange={onChange} />
      ) : (
        <Field label="Member">
          <Choice
            label="Member"
            value={operation.name}
            values={names}
            onChange={(name) => onChange({ ...operation, name })}
          />
        </Field>
      )}
      {kind === "retry" && (
        <Field label="New task (optional)">
          <textarea
            rows={2}
            value={operation.prompt}
            onChange={(event) => onChange({ ...operation, prompt: event.target.value })}
          />
        </Field>
      )}
      {kind === "rewire" && (
        <Upstreams
          names={names.filter((name) => name !== operation.name)}
          chosen={operation.dependsOn}
          onChange={(dependsOn) => onChange({ ...operation, dependsOn })}
        />
      )}
      <button type="button" className="link" onClick={onRemove}>
        Remove this change
      </button>
    </fieldset>
  );
}

type Add = Extract<Operation, { readonly kind: "add" }>;

function AddFields({
  operation,
  names,
  agentTypes,
  onChange,
}: {
  readonly operation: Add;
  readonly names: readonly string[];
  readonly agentTypes: readonly string[];
  readonly onChange: (operation: Operation) => void;
}) {
  return (
    <>
      <Field label="Name">
        <input
          type="text"
          value={operation.name}
          maxLength={64}
          onChange={(event) => onChange({ ...operation, name: event.target.value })}
        />
      </Field>
      <Field label="Agent type">
        <Choice
          label="Agent type"
          value={operation.agentType}
          values={agentTypes}
          onChange={(agentType) => onChange({ ...operation, agentType })}
        />
      </Field>
      <Field label="In the place of">
        <Choice
          label="In the place of"
          value={operation.replaces}
          values={["", ...names]}
          onChange={(replaces) => onChange({ ...operation, replaces })}
        />
      </Field>
      <Field label="Task">
        <textarea
          rows={3}
          value={operation.prompt}
          onChange={(event) => onChange({ ...operation, prompt: event.target.value })}
        />
      </Field>
      <Upstreams
        names={names}
        chosen={operation.dependsOn}
        onChange={(dependsOn) => onChange({ ...operation, dependsOn })}
      />
    </>
  );
}

/** Whom it waits for. */
function Upstreams({
  names,
  chosen,
  onChange,
}: {
  readonly names: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (names: string[]) => void;
}) {
  const toggle = (name: string): void =>
    onChange(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]);
  return (
    <div className="upstreams" role="group" aria-label="Waits for">
      <span>Waits for</span>
      <div className="upstream-list">
        {names.map((name) => (
          <label key={name} className="check">
            <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} /> {name}
          </label>
        ))}
      </div>
    </div>
  );
}
