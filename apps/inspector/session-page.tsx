import { useMachine } from "@xstate/react";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { ChartLayouts } from "./chart/chart-layouts.ts";
import type { Place } from "./feed/address.ts";
import { followSession, type Following } from "./feed/follow-session.ts";
import { SessionModel } from "./fold/session-model.ts";
import { modeMachine } from "./mode/mode-machine.ts";
import { SessionContext, type SessionContextValue } from "./session-context.ts";
import type { SessionSource } from "./session-source.ts";
import type { Go } from "./use-place.ts";
import type { Theme } from "./use-theme.ts";
import { SessionLayout } from "./views/session-layout.tsx";

interface SessionPageProps {
  readonly source: SessionSource;
  readonly place: Place;
  readonly go: Go;
  readonly layouts: ChartLayouts;
  readonly theme: Theme;
  readonly setTheme: (theme: Theme) => void;
  readonly onLeave: (() => void) | null;
}

/** One session: its log followed or opened, its mode, and all views of it. */
export function SessionPage({ source, place, go, layouts, theme, setTheme, onLeave }: SessionPageProps) {
  const model = useMemo(
    () => (source.kind === "file" ? source.session.model : new SessionModel(source.session)),
    [source],
  );
  const [mode, send] = useMachine(modeMachine);
  const following = useFollowing(source, model, send);
  const seek = useSeek(model, { place, go }, send);
  const value = useMemo<SessionContextValue>(() => {
    const goesOn = mode.matches({ source: "live" }) || mode.matches({ source: "reconnecting" });
    const isControlled = source.kind === "live" && source.info.control && !mode.matches({ source: "ended" });
    return {
      model,
      facts: model.timeline.kernel.steppers.facts,
      layouts,
      place,
      go,
      seek,
      command: isControlled ? (path, body) => source.api.command(source.session, path, body) : null,
      skewMs: source.kind === "live" && goesOn ? source.info.now - source.askedAt : null,
    };
  }, [source, model, layouts, place, go, seek, mode]);
  return (
    <SessionContext value={value}>
      <SessionLayout
        source={source}
        mode={mode}
        following={following}
        theme={theme}
        setTheme={setTheme}
        onLeave={onLeave}
      />
    </SessionContext>
  );
}

type Send = ReturnType<typeof useMachine<typeof modeMachine>>[1];

function useFollowing(source: SessionSource, model: SessionModel, send: Send): Following | null {
  const [following, setFollowing] = useState<Following | null>(null);
  useEffect(() => {
    if (source.kind === "file") {
      send({ type: "file.opened" });
      return;
    }
    send({ type: "feed.started" });
    const started = followSession({ api: source.api, session: source.session, model, send });
    setFollowing(started);
    return () => {
      started.stop();
      setFollowing(null);
    };
  }, [source, model, send]);
  return following;
}

/** Moves along the timeline, and keeps the address in step: its `seq` leads here again. */
function useSeek(
  model: SessionModel,
  { place, go }: { readonly place: Place; readonly go: Go },
  send: Send,
): (position: number) => void {
  const { timeline } = model;
  const { seq } = place;
  useEffect(() => {
    const show = (): boolean => {
      const target = seq === null ? timeline.length : timeline.positionOf(seq);
      if (seq !== null && seq > timeline.lastSeq) return false;
      if (target !== timeline.position) model.seek(target);
      send({ type: timeline.atHead ? "position.head" : "position.past" });
      return true;
    };
    if (show()) return;
    // A link may be ahead of what has come so far.
    const subscription = timeline.subscribe(() => {
      if (show()) subscription.unsubscribe();
    });
    return () => subscription.unsubscribe();
  }, [model, timeline, seq, send]);
  return useCallback(
    (position: number) => {
      model.seek(position);
      send({ type: timeline.atHead ? "position.head" : "position.past" });
      const entry = timeline.entryAt(timeline.position);
      go({ seq: timeline.atHead ? null : (entry?.record.seq ?? timeline.baseSeq) }, { replace: true });
    },
    [model, timeline, go, send],
  );
}
