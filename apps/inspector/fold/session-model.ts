import { createLiveActors, displayName, liveSource, type LiveActor, type LiveActors } from "teamchart/machines";
import type { Violation } from "teamchart/protocol";
import { ActorIndex } from "./actor-index.ts";
import { Bodies } from "./bodies.ts";
import { judgeBy } from "./difference.ts";
import { Messages } from "./messages.ts";
import { TaskIndex } from "./task-index.ts";
import { Timeline } from "./timeline.ts";
import { TokenStreams } from "./token-streams.ts";
import { parseWireLine, type Told, type WireLine } from "./wire-line.ts";

/** How a recording ends. */
export interface End {
  readonly outcome: string;
  readonly message: string | null;
}

const sought = { event: { type: "inspector.sought" } } as const;

/** One session as the page has it: its log, folded, and what is read from that. */
export class SessionModel {
  readonly timeline = new Timeline();
  readonly messages = new Messages();
  readonly actors = new ActorIndex();
  readonly tasks = new TaskIndex();
  readonly bodies = new Bodies();
  readonly tokens = new TokenStreams();
  /** Hashes of the machines that wrote it, where it says so. */
  machines: Readonly<Record<string, string>> | null = null;
  name: string;
  end: End | null = null;
  /** What its last step violates, where it is a counterexample of the checker. */
  violation: Violation | null = null;
  #live: LiveActors | null = null;
  readonly #asked = new Set<string>();
  /** An input whose posts are still to come: a recording tells of each. */
  #waiting: { readonly input: Extract<WireLine, { kind: "input" }>; readonly posts: Told[] } | null = null;

  constructor(name: string) {
    this.name = name;
    this.timeline.watch({
      appended: (entry, index, session) => {
        this.messages.append(entry, index, session);
        this.actors.append(entry, index);
        this.tasks.append(entry, index);
        const { actor, event } = entry.record.input;
        if (event.type !== "run.injected" && event.type.startsWith("run."))
          this.tokens.end(displayName(session, (each) => session.members.get(each), actor));
        if (this.timeline.atHead) this.#live?.follow(entry);
      },
      reset: () => this.#reindex(),
    });
  }

  /** The actor of this token as an XState actor, at the place on the timeline that is shown; undefined when there is none. */
  actor(token: string): LiveActor | undefined {
    this.#live ??= createLiveActors({
      session: this.name,
      source: liveSource(() => this.timeline.current),
      // What is sent to an actor of the page goes nowhere: control is by commands to the service.
      send: () => {},
      onError: (error) =>
        queueMicrotask(() => {
          // A view that throws must not end the fold; it is told like any other fault of the page.
          throw error;
        }),
      liveActorsMax: 10,
    });
    const actor = this.#live.get(token);
    if (actor !== undefined) this.#asked.add(token);
    return actor;
  }

  /** Shows another place on the timeline. */
  seek(position: number): void {
    this.timeline.seek(position);
    this.#showActors();
  }

  /** Begins anew from a checkpoint (null: from the start of the session). Bodies stay: they are known by what they are. */
  restart(checkpoint: unknown): void {
    this.#waiting = null;
    this.end = null;
    this.tokens.clear();
    this.timeline.restart(checkpoint);
    this.#showActors();
  }

  /**
   * Takes a line of a recording, with its posts: an input is folded when its posts are complete. Call `flush` at the end.
   * A line that can't be read throws.
   */
  takeLine(source: string): void {
    const line = parseWireLine(source);
    if (line.kind === "post") {
      if (this.#waiting?.input.record.seq === line.seq) this.#waiting.posts.push(line.told);
      return;
    }
    this.flush();
    if (line.kind === "input") this.#waiting = { input: line, posts: [] };
    else this.#take(line);
  }

  /** Takes a record of the wire: inputs come alone. Posts are folded here, and those that are sent all the same are left out. */
  takeRecord(source: string): void {
    const line = parseWireLine(source);
    if (line.kind === "input") this.timeline.append(line.record, judgeBy(line.told, null));
    else if (line.kind !== "checkpoint") this.#take(line);
  }

  /** Folds the input that waits for more posts. */
  flush(): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting !== null) this.timeline.append(waiting.input.record, judgeBy(waiting.input.told, waiting.posts));
  }

  #take(line: WireLine): void {
    if (line.kind === "body") this.bodies.keep(line.digest, line.value);
    else if (line.kind === "checkpoint") this.timeline.restart(line.value);
    else if (line.kind === "header") {
      this.machines = line.machines;
      this.name = line.session;
      this.violation = line.violation;
    } else if (line.kind === "end") this.end = { outcome: line.outcome, message: line.message };
  }

  #showActors(): void {
    const live = this.#live;
    if (live === null) return;
    const source = liveSource(() => this.timeline.current);
    for (const token of this.#asked) {
      const subject = source.read(token);
      if (subject !== undefined) live.update(token, subject.snapshot, sought);
    }
  }

  #reindex(): void {
    this.messages.clear();
    this.actors.clear();
    this.tasks.clear();
    const { timeline } = this;
    for (const [index, entry] of timeline.entries.entries()) {
      this.messages.append(entry, index, timeline.head);
      this.actors.append(entry, index);
      this.tasks.append(entry, index);
    }
  }
}
