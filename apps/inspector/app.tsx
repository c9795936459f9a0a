import { useEffect, useMemo, useState } from "react";
import { ChartLayouts } from "./chart/chart-layouts.ts";
import type { ServiceInfo } from "teamchart/protocol";
import { ApiError, type Api } from "./feed/api.ts";
import type { Place } from "./feed/address.ts";
import { openRecording } from "./feed/open-recording.ts";
import type { FileState } from "./feed/file-state.ts";
import { DropZone } from "./parts/drop-zone.tsx";
import { usePlace } from "./use-place.ts";
import { useTheme } from "./use-theme.ts";
import { SessionPage } from "./session-page.tsx";
import type { SessionSource } from "./session-source.ts";
import { StartView } from "./views/start-view.tsx";
import { SessionsView } from "./views/sessions-view.tsx";

/** What is known of the service that this page came from. */
type Service =
  | { readonly state: "asking" }
  | { readonly state: "here"; readonly info: ServiceInfo; readonly askedAt: number }
  | { readonly state: "none"; readonly problem: ApiError | null };

/** The inspector: a list of sessions, one session, or a recording from a file. */
export function App({ api, start }: { readonly api: Api; readonly start: Place }) {
  const service = useService(api);
  const { place, go } = usePlace(start);
  const [theme, setTheme] = useTheme();
  const layouts = useMemo(() => new ChartLayouts(), []);
  const file = useFile(() => go({ session: null, actor: null, seq: null, task: null }));
  const common = { place, go, layouts, theme, setTheme };
  const source = useSource(api, service, { session: place.session, file: file.opened });
  return (
    <DropZone onFile={file.open}>
      {source !== null ? (
        <SessionPage
          key={source.key}
          source={source}
          onLeave={
            service.state === "here" || file.opened !== null
              ? () => {
                  file.close();
                  go({ session: null, actor: null, seq: null, task: null, view: null });
                }
              : null
          }
          {...common}
        />
      ) : service.state === "here" ? (
        <SessionsView
          api={api}
          info={service.info}
          place={place}
          go={go}
          onFile={file.open}
          file={file.state}
          theme={theme}
          setTheme={setTheme}
        />
      ) : (
        <StartView service={service} onFile={file.open} file={file.state} />
      )}
    </DropZone>
  );
}

interface Opened {
  readonly name: string;
  readonly text: string;
  readonly session: Awaited<ReturnType<typeof openRecording>>;
}

/** The session that is shown; the same object until it is another one, as all that is folded hangs on it. */
function useSource(
  api: Api,
  service: Service,
  { session, file }: { readonly session: string | null; readonly file: Opened | null },
): SessionSource | null {
  return useMemo(() => {
    if (file !== null) return { key: `file ${file.name}`, kind: "file", ...file };
    if (service.state !== "here" || session === null) return null;
    const { info, askedAt } = service;
    return { key: `live ${session}`, kind: "live", api, info, askedAt, session };
  }, [api, service, session, file]);
}

function useService(api: Api): Service {
  const [service, setService] = useState<Service>({ state: "asking" });
  useEffect(() => {
    const stopped = new AbortController();
    const ask = async (): Promise<void> => {
      try {
        const info = await api.info(stopped.signal);
        setService({ state: "here", info, askedAt: Date.now() });
      } catch (fault) {
        if (stopped.signal.aborted) return;
        setService({ state: "none", problem: fault instanceof ApiError ? fault : null });
      }
    };
    ask().catch(() => {
      // `ask` tells of its faults by the state.
    });
    return () => stopped.abort();
  }, [api]);
  return service;
}

function useFile(onOpened: () => void) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [state, setState] = useState<FileState>(null);
  const open = (file: File): void => {
    setState({ share: 0 });
    file
      .text()
      .then(async (text) => {
        const session = await openRecording(text, (share) => setState({ share }));
        setOpened({ name: file.name, text, session });
        setState(null);
        onOpened();
      })
      .catch((fault: unknown) => setState({ problem: fault instanceof Error ? fault.message : String(fault) }));
  };
  return { opened, state, open, close: () => setOpened(null) };
}
