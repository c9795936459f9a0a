import { Box, render, Text, useInput, usePaste, useWindowSize, type Key } from "ink";
import { useLayoutEffect, type ReactNode } from "react";
import { printable } from "../printable.ts";
import type { LiveAsk, LiveFrame, LiveRow } from "../run/live-frame.ts";
import type { Live, LiveOptions } from "../run/live-module.ts";
import { answerLine, type AnswerLine } from "./answer-line.ts";

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

/** What is said of typed text that no longer answers anything. */
const droppedText = ({ dropped }: AnswerLine): string | null =>
  dropped === "" ? null : `dropped, as it was typed for something else: ${printable(dropped, { charactersMax: 24 })}`;

interface AskProps {
  readonly ask: LiveAsk;
  readonly line: AnswerLine;
}

const AskPanel = ({ ask, line }: AskProps) => (
  <Box flexDirection="column" marginTop={1}>
    <Text bold color="yellow" wrap="truncate-end">
      {ask.title}
    </Text>
    {placed(ask.lines).map(({ key, text }) => (
      <Text key={key} wrap="truncate-end">
        {text === "" ? " " : text}
      </Text>
    ))}
    {line.isOpenFor(ask.id) && line.typed !== "" ? (
      <Text wrap="truncate-start">{`> ${line.typed}_`}</Text>
    ) : (
      <Text wrap="truncate-end">
        {line.isOpenFor(ask.id) ? "> _ " : ". . "}
        <Text color="gray">{droppedText(line) ?? ask.hint}</Text>
      </Text>
    )}
  </Box>
);

/** Takes keys and pasted text into the line; Enter hands it on. */
function useKeys({ onAnswer, onInterrupt, stdin }: LiveOptions, line: AnswerLine, ask: LiveAsk | null): void {
  const send = (): void => {
    const text = line.send();
    if (ask !== null && text !== null) onAnswer(ask.id, text);
  };
  const take = (input: string, key: Key): void => {
    if (key.backspace || key.delete) line.erase();
    else if (key.return) send();
    else if (!key.ctrl && !key.meta && input !== "") {
      // What is typed fast comes in one piece with its Enter. What comes behind that was typed for nothing on the screen.
      const [first = "", ...rest] = input.split(/[\r\n]/);
      if (first !== "") line.type(first);
      if (rest.length > 0) send();
    }
  };
  // Keys come one by one from a terminal only.
  const options = { isActive: stdin.isTTY };
  useInput((input, key) => (key.ctrl && input === "c" ? onInterrupt() : take(input, key)), options);
  // Line ends that are pasted send nothing.
  usePaste((text) => line.type(text), options);
}

interface AppProps extends LiveOptions {
  readonly line: AnswerLine;
}

const App = ({ line, ...options }: AppProps) => {
  const size = useWindowSize();
  const frame: LiveFrame = options.frame(size);
  const { ask } = frame;
  const shown = ask?.id ?? null;
  useLayoutEffect(() => line.shows(shown), [line, shown]);
  useKeys(options, line, ask);
  const { columns } = size;
  return (
    <Box flexDirection="column" width={columns}>
      <Text bold wrap="truncate-end">
        {frame.title}
      </Text>
      <Text color="gray" wrap="truncate-end">
        {ask === null && line.dropped !== "" ? `${droppedText(line)} · ${frame.summary}` : frame.summary}
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
      {ask !== null && <AskPanel ask={ask} line={line} />}
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
  let redraw = (): void => {};
  const line = answerLine(() => redraw());
  const app = render(<App {...options} line={line} />, {
    stdin,
    stdout,
    exitOnCtrlC: false,
    patchConsole: false,
    maxFps: 15,
    incrementalRendering: true,
  });
  redraw = () => app.rerender(<App {...options} line={line} />);
  return {
    update: () => redraw(),
    async close() {
      stopTidying();
      line.close();
      redraw = () => {};
      app.unmount();
      await app.waitUntilExit();
    },
  };
}
