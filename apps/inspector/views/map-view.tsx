import { useMemo, useRef } from "react";
import type { MemberRecord } from "teamchart/machines";
import { DagCanvas } from "../dag/dag-canvas.tsx";
import { DagSvg } from "../dag/dag-svg.tsx";
import { layOutDag } from "../dag/layers.ts";
import { marks, markText, memberMark } from "../fold/actors.ts";
import { Empty } from "../parts/empty.tsx";
import { usePanZoom } from "../parts/pan-zoom.ts";
import { StateMark } from "../parts/state-mark.tsx";
import { ZoomButtons } from "../parts/zoom-buttons.tsx";
import { useSession, useShown } from "../session-context.ts";

/** Above this many members the team is drawn on a canvas. */
const svgMax = 2_000;

interface MapProps {
  readonly chosen: string | null;
  readonly onChoose: (name: string) => void;
}

/** The team as the graph that it is: who waits for whom, and how each stands. */
export function MapView(props: MapProps) {
  const count = useShown(({ session }) => session.members.size);
  if (count > 0) return <TeamMap {...props} />;
  return <Empty title="No team">The graph of the team is drawn here, once there is one.</Empty>;
}

function TeamMap({ chosen, onChoose }: MapProps) {
  const { facts } = useSession();
  const members = useShown(({ session }) => [...session.members.values()], sameGraph);
  const layout = useMemo(
    () => layOutDag(members.map(({ token, name, dependsOn }) => ({ id: token, name, dependsOn }))),
    [members],
  );
  const box = useRef<HTMLDivElement>(null);
  const isLarge = members.length > svgMax;
  const panZoom = usePanZoom(box, layout, isLarge ? 0.02 : members.length > 60 ? 0.14 : 0.45);
  const { viewport, size, pan, zoomIn, zoomOut, fit } = panZoom;
  const summary = useShown(({ session }) => {
    const found = marks.map(
      (mark) =>
        [mark, [...session.members.values()].filter((each) => memberMark(each, facts) === mark).length] as const,
    );
    return found
      .filter(([, count]) => count > 0)
      .map(([mark, count]) => `${count} ${markText[mark].toLowerCase()}`)
      .join(", ");
  });
  const drawing = { members, layout, viewport, size, chosen, onChoose };
  return (
    <div className="drawing-frame">
      <div
        className="drawing"
        ref={box}
        {...pan}
        role="group"
        aria-label={`Graph of the team: ${members.length} members, ${summary}. The list of members says the same.`}
      >
        {size.width > 0 && (isLarge ? <DagCanvas {...drawing} /> : <DagSvg {...drawing} />)}
      </div>
      <div className="drawing-tools">
        <ul className="legend" aria-label="Legend">
          {marks.map((mark) => (
            <li key={mark}>
              <StateMark state={mark} label={null} /> {markText[mark]}
            </li>
          ))}
          <li>
            <svg width="22" height="8" aria-hidden="true">
              <path d="M1 4h20" className="dag-edge" />
            </svg>{" "}
            completed
          </li>
          <li>
            <svg width="22" height="8" aria-hidden="true">
              <path d="M1 4h20" className="dag-edge open" />
            </svg>{" "}
            still waited for
          </li>
        </ul>
        <ZoomButtons zoomIn={zoomIn} zoomOut={zoomOut} fit={fit} />
      </div>
    </div>
  );
}

/** A member's place depends on who there is and who waits for whom, and on nothing else. */
const sameGraph = (a: readonly MemberRecord[], b: readonly MemberRecord[]): boolean =>
  a.length === b.length &&
  a.every(
    (member, index) =>
      member === b[index] || (member.token === b[index]?.token && member.dependsOn === b[index].dependsOn),
  );
