import { edgePath } from "../dag/dag-props.ts";
import { layOutDag } from "../dag/layers.ts";
import { StateMark } from "../parts/state-mark.tsx";
import type { PlannedMember } from "./replan-preview.ts";

/** Above this many the drawing would say less than the list below it. */
const drawnMax = 150;

/** A team as a plan would leave it; what changes stands out. */
export function PlanMap({ members }: { readonly members: readonly PlannedMember[] }) {
  if (members.length > drawnMax)
    return <p className="dim">The team has {members.length} members: too many to be drawn here.</p>;
  const layout = layOutDag(members.map(({ token, name, dependsOn }) => ({ id: token, name, dependsOn })));
  const paths: string[] = [];
  for (let at = 0; at < layout.edges.length; at += 2)
    paths.push(edgePath(layout, layout.edges[at] ?? 0, layout.edges[at + 1] ?? 0));
  const margin = 8;
  return (
    <div className="plan-map" tabIndex={0} role="group" aria-label="The team after the plan">
      <svg
        className="dag"
        width={layout.width + margin * 2}
        height={layout.height + margin * 2}
        viewBox={`${-margin} ${-margin} ${layout.width + margin * 2} ${layout.height + margin * 2}`}
        aria-hidden="true"
      >
        <path className="dag-edge" d={paths.join("")} />
        {members.map(({ token, name, before, after }, index) => (
          <g
            key={token}
            className={`dag-node state-${after}${before === after ? "" : " changed"}`}
            transform={`translate(${layout.x[index] ?? 0} ${layout.y[index] ?? 0})`}
          >
            <rect width={layout.nodeWidth} height={layout.nodeHeight} rx="6" />
            <g transform={`translate(10 ${layout.nodeHeight / 2 - 7})`}>
              <StateMark state={after} label={null} />
            </g>
            <text x="31" y={layout.nodeHeight / 2 + 4.5}>
              {name.length > 18 ? `${[...name].slice(0, 17).join("")}…` : name}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}
