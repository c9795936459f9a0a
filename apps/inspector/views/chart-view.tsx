import { useSelector } from "@xstate/react";
import { useMemo, useRef, useState, useSyncExternalStore } from "react";
import { possibleTransitions, type LiveActor, type PossibleTransition } from "teamchart/machines";
import type { AnyStateMachine } from "xstate";
import { ChartSvg, type ChartState } from "../chart/chart-svg.tsx";
import { ChartText } from "../chart/chart-text.tsx";
import type { Box, ChartLayout } from "../chart/elk-graph.ts";
import type { ActorRef } from "../fold/actors.ts";
import { countBelow } from "../fold/actor-index.ts";
import { Empty } from "../parts/empty.tsx";
import { fitted, usePanZoom } from "../parts/pan-zoom.ts";
import { ZoomButtons } from "../parts/zoom-buttons.tsx";
import { useSession, useShown } from "../session-context.ts";

/** The machine of the chosen actor: where it is, how it came there, and where it can go. */
export function ChartView({
  actor,
  onChoose,
}: {
  readonly actor: ActorRef | null;
  readonly onChoose: (name: string) => void;
}) {
  const { model } = useSession();
  // A live actor exists as long as its team does: asked for anew when the roster is another one.
  const live = useShown(() => (actor === null ? undefined : model.actor(actor.token)));
  if (actor === null)
    return (
      <Empty title="There is no such actor here">
        At this place on the timeline.{" "}
        <button type="button" className="link" onClick={() => onChoose("Lead")}>
          Show the lead
        </button>
      </Empty>
    );
  if (live === undefined)
    return <Empty title={`${actor.name} is not there`}>At this place on the timeline there is no such actor.</Empty>;
  return <LiveChart key={actor.token} actor={actor} live={live} />;
}

function LiveChart({ actor, live }: { readonly actor: ActorRef; readonly live: LiveActor }) {
  const { model, layouts } = useSession();
  const snapshot = useSelector(live, (each) => each);
  // XState types a snapshot by its machine; any machine can be drawn.
  const machine = snapshot.machine as AnyStateMachine;
  const layout = useSyncExternalStore(
    (observer) => layouts.subscribe(observer),
    () => layouts.get(machine),
  );
  const taken = useShown(
    () => lastTaken(model, actor.token),
    (a, b) => a.join() === b.join(),
  );
  const state = useMemo<ChartState>(() => {
    const possible = new Map<string, PossibleTransition>(possibleTransitions(snapshot).map((each) => [each.id, each]));
    return {
      active: new Set(snapshot._nodes.map((node: { readonly id: string }) => node.id)),
      possible,
      taken: new Set(taken),
    };
  }, [snapshot, taken]);
  const box = useRef<HTMLDivElement>(null);
  const drawing = layout.state === "here" ? layout.layout : null;
  const { viewport, size, pan, zoomIn, zoomOut, fit, show } = usePanZoom(
    box,
    drawing,
    0.7,
    useFirst(focusOf(drawing, state)),
  );
  return (
    <div className="drawing-frame">
      <div
        className="drawing"
        ref={box}
        {...pan}
        role="group"
        aria-label={`Statechart of ${actor.name}: ${activeText(state)}`}
      >
        {layout.state === "loading" && <Empty kind="loading" title="Drawing the chart…" />}
        {layout.state === "failed" && (
          <ChartText description={layouts.description(machine)} state={state} problem={layout.why} />
        )}
        {drawing !== null && size.width > 0 && (
          <ChartSvg layout={drawing} state={state} viewport={viewport} size={size} />
        )}
      </div>
      <div className="drawing-tools">
        <ChartLegend />
        <Regions
          layout={drawing}
          onShow={(place) => {
            const seen = fitted(place, size, 0.6);
            show({ ...seen, x: seen.x + place.x, y: seen.y + place.y });
          }}
        />
        <ZoomButtons zoomIn={zoomIn} zoomOut={zoomOut} fit={fit} />
      </div>
    </div>
  );
}

function ChartLegend() {
  return (
    <ul className="legend" aria-label="Legend">
      <li>
        <span className="legend-box active" /> where it is
      </li>
      <li>
        <span className="legend-text taken">event</span> taken last
      </li>
      <li>
        <span className="legend-text open">event</span> possible
      </li>
      <li>
        <span className="legend-text depends">event</span> if the event says so
      </li>
      <li>
        <span className="legend-text shut">event</span> not now
      </li>
    </ul>
  );
}

function Regions({ layout, onShow }: { readonly layout: ChartLayout | null; readonly onShow: (place: Box) => void }) {
  const regions = layout === null ? [] : regionsOf(layout);
  if (regions.length === 0) return null;
  return (
    <div className="zoom-buttons" role="group" aria-label="Regions">
      {regions.map(({ node, box }) => (
        <button key={node.id} type="button" className="button" onClick={() => onShow(box)}>
          {node.title}
        </button>
      ))}
    </div>
  );
}

/** The first value that there is: what is looked at must not jump with every step. */
function useFirst<Value>(value: Value | null): Value | null {
  const [first, setFirst] = useState(value);
  if (first === null && value !== null) setFirst(value);
  return first;
}

/** The last of the innermost states that are active: in a member that works, what its run does. */
function focusOf(layout: ChartLayout | null, { active }: ChartState): Box | null {
  const parents = new Set(layout?.nodes.map(({ node }) => node.parent));
  const inner = layout?.nodes.filter(({ node }) => active.has(node.id) && !parents.has(node.id)) ?? [];
  return inner.at(-1)?.box ?? null;
}

/** The regions of a parallel machine; none of any other. */
function regionsOf({ nodes }: ChartLayout): ChartLayout["nodes"] {
  const root = nodes.find(({ node }) => node.parent === null)?.node;
  return root?.type === "parallel" ? nodes.filter(({ node }) => node.parent === root.id) : [];
}

const activeText = ({ active }: ChartState): string =>
  [...active]
    .map((id) => id.split(".").slice(1).join(" "))
    .filter(Boolean)
    .join(", ");

const nothing: readonly string[] = [];

/** The transitions that the actor took last, at the place that is shown. */
function lastTaken(model: ReturnType<typeof useSession>["model"], token: string): readonly string[] {
  const own = model.actors.of(token);
  for (let at = countBelow(own, model.timeline.position) - 1; at >= 0; at--) {
    const steps = model.timeline.entries[own[at] ?? 0]?.steps ?? [];
    const taken = steps.flatMap((step) => (step.actor === token ? step.transitions : []));
    if (taken.length > 0) return taken;
  }
  return nothing;
}
