import { memo, useMemo } from "react";
import type { MemberRecord } from "teamchart/machines";
import { memberMark, type Mark } from "../fold/actors.ts";
import { StateMark } from "../parts/state-mark.tsx";
import { useSession, useShown } from "../session-context.ts";
import { edgePath, type DagProps } from "./dag-props.ts";

/** Draws a team of up to a few thousand: each member an element that is drawn anew when it changes, and no other is. */
export function DagSvg({ members, layout, viewport, size, chosen, onChoose }: DagProps) {
  const { x, y, scale } = viewport;
  const chosenAt = chosen === null ? undefined : layout.indexOf.get(chosen);
  // Below this size no name can be read.
  const isSmall = scale < 0.4;
  const nodes = useMemo(
    () =>
      members.map((member, index) => (
        <Node
          key={member.token}
          member={member}
          x={layout.x[index] ?? 0}
          y={layout.y[index] ?? 0}
          width={layout.nodeWidth}
          height={layout.nodeHeight}
          isChosen={index === chosenAt}
          isSmall={isSmall}
          onChoose={onChoose}
        />
      )),
    [members, layout, chosenAt, isSmall, onChoose],
  );
  return (
    <svg
      className="dag"
      width={size.width}
      height={size.height}
      viewBox={`${x} ${y} ${size.width / scale} ${size.height / scale}`}
    >
      <Edges members={members} layout={layout} chosenAt={chosenAt ?? null} />
      {nodes}
    </svg>
  );
}

/** All edges as three paths: those that are met, those that are not, and those of the chosen member. */
function Edges({
  members,
  layout,
  chosenAt,
}: Pick<DagProps, "members" | "layout"> & { readonly chosenAt: number | null }) {
  const { facts } = useSession();
  const met = useShown(({ session }) =>
    members
      .map(({ token }) => {
        const member = session.members.get(token);
        return member !== undefined && memberMark(member, facts) === "completed" ? "1" : "0";
      })
      .join(""),
  );
  const paths = useMemo(() => {
    const found = { met: "", open: "", chosen: "" };
    for (let at = 0; at < layout.edges.length; at += 2) {
      const [from, to] = [layout.edges[at] ?? 0, layout.edges[at + 1] ?? 0];
      const path = edgePath(layout, from, to);
      if (from === chosenAt || to === chosenAt) found.chosen += path;
      if (met[from] === "1") found.met += path;
      else found.open += path;
    }
    return found;
  }, [layout, met, chosenAt]);
  return (
    <g aria-hidden="true">
      <path className="dag-edge" d={paths.met} />
      <path className="dag-edge open" d={paths.open} />
      <path className="dag-edge chosen" d={paths.chosen} />
    </g>
  );
}

interface NodeProps {
  readonly member: MemberRecord;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly isChosen: boolean;
  readonly isSmall: boolean;
  readonly onChoose: (name: string) => void;
}

const Node = memo(function Node({ member, x, y, width, height, isChosen, isSmall, onChoose }: NodeProps) {
  const { facts } = useSession();
  const { token, name } = member;
  const state: Mark = useShown(({ session }) => {
    const current = session.members.get(token);
    return current === undefined ? "cancelled" : memberMark(current, facts);
  });
  const unread = useShown(({ session }) => session.members.get(token)?.unread.length ?? 0);
  const charsMax = Math.floor((width - 44) / 7);
  return (
    <g
      className={`dag-node state-${state}${isChosen ? " chosen" : ""}`}
      transform={`translate(${x} ${y})`}
      onClick={() => onChoose(name)}
      data-member={name}
    >
      <title>{`${name}: ${state.replace("_", " ")}`}</title>
      <rect width={width} height={height} rx="6" />
      {isSmall ? (
        <rect width={width} height={height} rx="6" className="dag-fill" />
      ) : (
        <>
          <g transform={`translate(10 ${height / 2 - 7})`}>
            <StateMark state={state} label={null} />
          </g>
          <text x="31" y={height / 2 + 4.5}>
            {name.length > charsMax ? `${[...name].slice(0, charsMax - 1).join("")}…` : name}
          </text>
          {unread > 0 && <circle cx={width - 10} cy={height / 2} r="4" className="dag-unread" />}
        </>
      )}
    </g>
  );
});
