import type { Clock } from "../protocol/clock.ts";
import type { SessionDirectory } from "./sessions/session-source.ts";
import type { PageFiles } from "./http/page-files.ts";
import type { ServiceMetrics } from "./metrics/service-metrics.ts";

/** What the routes of a service share. */
export interface ServiceState {
  readonly directory: SessionDirectory;
  readonly control: boolean;
  readonly version: string;
  readonly machines: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly page: PageFiles;
  readonly metrics: ServiceMetrics;
  readonly heartbeatMs: number;
  /** Longest wait of a status. */
  readonly waitMsMax: number;
  /** Pieces of text that wait for one slow reader; what comes on top is dropped and counted. */
  readonly textsMax: number;
  /** Aborted when the service is closed. */
  readonly closed: AbortSignal;
  /** Whether one more stream may be opened; what it returns closes it. Throws when there are too many. */
  readonly openStream: () => () => void;
  /** Path that the service is mounted under, without a slash at its end. */
  readonly basePath: string;
}
