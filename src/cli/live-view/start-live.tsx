import { Box, render, Text, useInput, useWindowSize, type Key } from "ink";
import { useState, type ReactNode } from "react";
import type { LiveAsk, LiveFrame, LiveRow } from "../run/live-frame.ts";
import type { Live, LiveOptions } from "../run/live-module.ts";

const colorOf: Readonly<Record<string, string>> = {
  blocked: "gray",
  in_progress: "cyan",
  completed: "green",
  failed: "red",
  cancelled: "yellow",
};

interface CellProps {
  readonly width?: number;
  readonly color?: string | undefined;
  readonly children: ReactNode;
}

/** One cell of the table: cut where it is too long, never wrapped. Without a width it takes what is left. */
const Cell = ({ width, color, children }: CellProps) => (
  <Box
    {...(width === undefined ? { flexGrow: 1, flexBasis: 0 } : { width, flexShrink: 0 })}
    marginRight={1}
    overflow="hidden"
  >
    <Text wrap="truncate-end" {...(color === undefined ? {} : { color })}>
      {children}
    </Text>
  </Box>
);

const Line = ({ row, columns, head = false }: { row: LiveRow; columns: number; head?: boolean }) => {
  const wide = columns >= 120;
  const dim = head ? "gray" : undefined;
  return (
    <Box width={columns} height={1}>
      <Cell width={wide ? 32 : 18} color={dim}>
        {row.name}
      </Cell>
      <Cell width={11} color={head ? "gray" : colorOf[row.status]}>
        {row.status}
      </Cell>
      {columns >= 64 && (
        <Cell width={wide ? 21 : 12} color={dim}>
          {row.activity}
        </Cell>
      )}
      <Cell width={5} color={dim}>
        {row.since}
      </Cell>
      <Cell color={head ? "gray" : row.status === "failed" ? "red" : undefined}>{row.waitingOn}</Cell>
      {columns >= 48 && (
        <Cell width={4} color={dim}>
          {row.unread}
        </Cell>
      )}
      {columns >= 56 && (
        <Cell width={6} color={dim}>
          {row.tokens}
        </Cell>
      )}
    </Box>
  );
};

const heads: LiveRow = {
  name: "member",
  status: "state",
  activity: "does",
  since: "for",
  waitingOn: "waits for",
  unread: "mail",
  tokens: "tokens",
};

/** Lines that are told apart by their places: equal ones may follow each other. */
const placed = (lines: readonly string[]) => lines.map((text, place) => ({ key: String(place), text }));

interface AskProps {
  readonly ask: LiveAsk;
  readonly typed: string;
}

const AskPanel = ({ ask, typed }: AskProps) => (
  <Box flexDirection="column" marginTop={1}>
    <Text bold color="yellow" wrap="truncate-end">
      {ask.title} - {ask.hint}
    </Text>
    {placed(ask.lines).map(({ key, text }) => (
      <Text key={key} wrap="truncate-end">
        {text}
      </Text>
    ))}
    <Text wrap="truncate-start">{ask.kind === "question" ? `> ${typed}_` : " "}</Text>
  </Box>
);

/** What of the typed keys becomes text: no control character reaches the answer. */
const textOf = (input: string): string => input.replaceAll(/\p{Cc}/gu, "");

const App = ({ frame: frameOf, onAnswer, onInterrupt, stdin }: LiveOptions) => {
  const size = useWindowSize();
  const [typed, setTyped] = useState("");
  const frame: LiveFrame = frameOf(size);
  const { ask } = frame;
  const type = (input: string, key: Key, { id, kind }: LiveAsk): void => {
    if (kind !== "question") {
      if (/^[yn]$/i.test(input)) onAnswer(id, input);
    } else if (key.backspace || key.delete) setTyped((text) => [...text].slice(0, -1).join(""));
    else if (key.return || /[\r\n]/.test(input)) {
      // What is pasted, or typed fast, comes in one piece with its Enter.
      const answer = typed + textOf(input.split(/[\r\n]/)[0] ?? "");
      if (answer.trim() !== "") onAnswer(id, answer);
      setTyped("");
    } else if (!key.ctrl && !key.meta) setTyped((text) => text + textOf(input));
  };
  useInput(
    (input, key) => {
      if (key.ctrl && input === "c") onInterrupt();
      else if (ask !== null) type(input, key, ask);
    },
    // Keys come one by one from a terminal only.
    { isActive: stdin.isTTY },
  );
  const { columns } = size;
  return (
    <Box flexDirection="column" width={columns}>
      <Text bold wrap="truncate-end">
        {frame.title}
      </Text>
      <Text color="gray" wrap="truncate-end">
        {frame.summary}
      </Text>
      {frame.rows.length > 0 && <Line row={heads} columns={columns} head />}
      {frame.rows.map((row) => (
        <Line key={row.name} row={row} columns={columns} />
      ))}
      {frame.more !== null && (
        <Text color="gray" wrap="truncate-end">
          {frame.more}
        </Text>
      )}
      {placed(frame.events).map(({ key, text }) => (
        <Text key={key} color="gray" wrap="truncate-end">
          {text}
        </Text>
      ))}
      {ask !== null && <AskPanel ask={ask} typed={typed} />}
    </Box>
  );
};

/** The whole screen empty, the cursor in its corner. */
const emptyScreen = "\u001B[2J\u001B[H";

/**
 * A narrower terminal breaks the lines that are drawn already into more lines than the drawer knows of. It has to find an
 * empty screen, or their rest stays for ever.
 */
function tidyWhenNarrowed(stdout: LiveOptions["stdout"]): () => void {
  let { columns } = stdout;
  const onResize = (): void => {
    if (stdout.columns < columns) stdout.write(emptyScreen);
    ({ columns } = stdout);
  };
  stdout.prependListener("resize", onResize);
  return () => stdout.off("resize", onResize);
}

/** Starts to draw into the terminal, in place. */
export function startLive(options: LiveOptions): Live {
  const { stdin, stdout } = options;
  const stopTidying = tidyWhenNarrowed(stdout);
  const app = render(<App {...options} />, {
    stdin,
    stdout,
    exitOnCtrlC: false,
    patchConsole: false,
    maxFps: 15,
    incrementalRendering: true,
  });
  return {
    update: () => app.rerender(<App {...options} />),
    async close() {
      stopTidying();
      app.unmount();
      await app.waitUntilExit();
    },
  };
}
