import { z } from "zod";
import type { RedactorOptions } from "../actors/recording/redactor.ts";

/** One line of the log: fields, not prose. */
export interface LogEntry {
  readonly level: "debug" | "warn";
  /** Type of the event, or what went wrong. */
  readonly message: string;
  readonly session?: string;
  readonly actor?: string;
  readonly seq?: number;
  readonly [field: string]: unknown;
}

/** How a service is made; everything has a default. */
export interface ServiceOptions {
  /** Path that it is mounted under, such as `/teamchart`. Left out = at the root. */
  readonly basePath?: string;
  /** Whether those who look may also act: send, answer, replan, dissolve. Default false. */
  readonly control?: boolean;
  /**
   * Who may look. Left out = whoever has a random token, which is the service's `token`. `"host"` asks nobody: the app
   * that it is mounted in must have done so.
   */
  readonly auth?: { readonly token: string } | "host";
  /**
   * Hosts by which it is reached, as the Host header has them: `app.example` on any port, or `app.example:8080`. Left out =
   * this machine by its loopback names; with `auth: "host"` any.
   */
  readonly hosts?: readonly string[];
  /** Which sessions a request may see; the others are unknown to it. Left out = all. */
  readonly canSee?: (request: Request, session: { readonly id: string }) => boolean | Promise<boolean>;
  /** Secrets to hide, beside what looks like one: texts, and names of fields. */
  readonly redact?: RedactorOptions;
  /** How much of each session is held for those who look. */
  readonly history?: { readonly inputsMax?: number; readonly bytesMax?: number };
  /** Closed sessions that may still be looked at. Default 20. */
  readonly closedSessionsMax?: number;
  /** Event streams at once. Default 64. */
  readonly streamsMax?: number;
  /** Pieces of text that wait for a slow reader; more are dropped and counted. Default 1,000. */
  readonly textsMax?: number;
  /** Largest body of a request, in bytes. Default 1 MiB. */
  readonly bodyBytesMax?: number;
  /** Longest wait of a status with `since`, in ms. Default 30 s. */
  readonly waitMsMax?: number;
  /** Time between two heartbeats of an event stream, in ms. Default 15 s. */
  readonly heartbeatMs?: number;
  /** Folder of the inspector page, for code that was bundled. Left out = the one of this package. */
  readonly page?: string;
  /** Told of every applied input. Left out = nothing is made for it. */
  readonly log?: (entry: LogEntry) => void;
  /** Told of faults that are nobody's request. Left out = a process warning. */
  readonly onFault?: (fault: unknown) => unknown;
}

const aFunction = z.custom<(...args: never) => unknown>((value) => typeof value === "function", "expected a function");
const some = z.int().min(1).optional();
const texts = z.array(z.string()).readonly();

/** A token that can be guessed is none: this is what 128 random bits need at least. */
const tokenMin = 22;

/** Keys and types of the options of `createService`. */
export const ServiceOptionsShape = z.strictObject({
  basePath: z
    .string()
    .regex(/^(?:\/[A-Za-z0-9._~-]+)*$/, 'expected "" or a path such as "/teamchart", without a slash at its end')
    .optional(),
  control: z.boolean().optional(),
  auth: z
    .union([
      z.literal("host"),
      z.strictObject({
        token: z
          .string()
          .min(tokenMin, `expected at least ${tokenMin} random characters`)
          .max(500)
          .regex(/^[\x21-\x7E]+$/, "expected visible ASCII characters only"),
      }),
    ])
    .optional(),
  hosts: texts.optional(),
  canSee: aFunction.optional(),
  redact: z.strictObject({ secrets: texts.optional(), keys: texts.optional() }).optional(),
  history: z.strictObject({ inputsMax: some, bytesMax: some }).optional(),
  closedSessionsMax: z.int().min(0).optional(),
  streamsMax: some,
  textsMax: some,
  bodyBytesMax: some,
  waitMsMax: z.number().min(0).optional(),
  heartbeatMs: z.number().min(10).optional(),
  page: z.string().min(1).optional(),
  log: aFunction.optional(),
  onFault: aFunction.optional(),
});
