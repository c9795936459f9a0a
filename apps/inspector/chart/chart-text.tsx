import type { MachineDescription } from "teamchart/machines";
import type { ChartState } from "./chart-svg.tsx";

/** A chart in words: what stands here when it can't be drawn. */
export function ChartText({
  description,
  state,
  problem,
}: {
  readonly description: MachineDescription;
  readonly state: ChartState;
  readonly problem: string;
}) {
  return (
    <div className="chart-words">
      <p className="notice notice-warn" role="alert">
        The chart could not be drawn: {problem} Here it is in words.
      </p>
      <ul>
        {description.states.map(({ id, path, description: text }) => (
          <li key={id} className={state.active.has(id) ? "active" : ""}>
            <strong>{path.join(".") || id}</strong> {state.active.has(id) && <span className="tag">active</span>} {text}
            <ul>
              {description.transitions
                .filter(({ source }) => source === id)
                .map((each) => (
                  <li key={each.id}>
                    {each.event ?? "always"}
                    {each.guard === null ? "" : ` [${each.guard}]`} → {each.targets.join(", ") || "stays"}
                  </li>
                ))}
            </ul>
          </li>
        ))}
      </ul>
    </div>
  );
}
