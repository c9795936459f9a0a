import type { Host } from "../host.ts";
import type { LiveFrame, Size } from "./live-frame.ts";

/** What the bundled live view is given. It draws; everything else is decided outside. */
export interface LiveOptions {
  readonly stdin: Host["stdin"];
  readonly stdout: Host["stdout"];
  /** What to draw now in a terminal of this size. */
  readonly frame: (size: Size) => LiveFrame;
  /** The user has answered the ask of this id. */
  readonly onAnswer: (id: string, text: string) => void;
  /** Ctrl-C, which a terminal in raw mode hands over as a key. */
  readonly onInterrupt: () => void;
}

/** A live view on the screen. */
export interface Live {
  /** Draws anew. */
  update(): void;
  /** Leaves the last frame where it is and gives the terminal back. */
  close(): Promise<void>;
}

/** The module that is bundled by itself, so that users never install what it draws with. */
export interface LiveModule {
  readonly startLive: (options: LiveOptions) => Live;
}
