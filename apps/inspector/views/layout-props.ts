import type { SnapshotFrom } from "xstate";
import type { Following } from "../feed/follow-session.ts";
import type { modeMachine } from "../mode/mode-machine.ts";
import type { SessionSource } from "../session-source.ts";
import type { Theme } from "../use-theme.ts";

/** What a page of a session is made of. */
export interface LayoutProps {
  readonly source: SessionSource;
  readonly mode: SnapshotFrom<typeof modeMachine>;
  readonly following: Following | null;
  readonly theme: Theme;
  readonly setTheme: (theme: Theme) => void;
  readonly onLeave: (() => void) | null;
}
