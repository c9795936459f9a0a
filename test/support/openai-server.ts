import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A tool call of an answer. `arguments` as a text goes out as it is, broken or not. */
export interface ServedCall {
  readonly name: string;
  readonly arguments: unknown;
}

/** What local servers get wrong about tool calls, each seen in the wild. */
export interface Quirks {
  /** Every call says index 0. */
  readonly indexAlwaysZero?: boolean;
  /** No call has an id. */
  readonly withoutId?: boolean;
  /** The answer ends with `stop` although it calls tools. */
  readonly finishStop?: boolean;
  /** The answer ends with `length`: it was cut in the middle. */
  readonly finishLength?: boolean;
  /** The whole call comes in one piece, the way these servers send it. */
  readonly wholeArguments?: boolean;
}

/** What the server does with one request. */
export type Reply =
  /** A plain text, sent once `after` resolves; a stream begins before. */
  | { readonly text: string; readonly after?: Promise<unknown> }
  | { readonly calls: readonly ServedCall[]; readonly text?: string; readonly quirks?: Quirks }
  /** An answer with nothing in it. */
  | { readonly empty: true }
  /** An HTTP error. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly error?: object }
  /** Sends this text, then nothing more, and leaves the connection open; without a text not even a header. */
  | { readonly stall: true; readonly afterText?: string }
  /** Cuts the connection, after this text if there is one. */
  | { readonly drop: true; readonly afterText?: string }
  /** Sends an error in the middle of the stream. */
  | { readonly streamError: object; readonly afterText?: string };

/** A request as it came. */
export interface ServedRequest {
  readonly headers: IncomingMessage["headers"];
  readonly body: {
    readonly model: string;
    readonly stream?: boolean;
    readonly messages: readonly { role: string; content: unknown; tool_calls?: readonly { id: string }[] }[];
    readonly tools?: readonly { function: { name: string } }[];
    readonly tool_choice?: unknown;
  };
}

/** A running server. `await using` closes it and every connection to it. */
export interface OpenAiServer extends AsyncDisposable {
  /** What to give a provider as its base URL. */
  readonly baseUrl: string;
  /** Every request, in the order in which they came. */
  readonly requests: readonly ServedRequest[];
  /** Connections that are open now. */
  readonly openSockets: number;
  /** Requests that are being answered now, and the most there ever were at once. */
  readonly open: number;
  readonly openMax: number;
  /** Resolves when no request is being answered any more. */
  idle(): Promise<void>;
}

/** How the server knows what to reply: a list, one for each request, or a function of the request and its number from 0. */
export type Replies = readonly Reply[] | ((request: ServedRequest, index: number) => Reply);

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const argumentPieceChars = 8;

const piecesOf = (text: string, size: number): string[] => text.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? [];

const argumentsOf = (call: ServedCall): string =>
  typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);

const idOf = (requestIndex: number, callIndex: number): string => `call_${requestIndex}_${callIndex}`;

/** One streamed answer on its way out. */
class Writer {
  readonly #response: ServerResponse;
  readonly #requestIndex: number;

  constructor(response: ServerResponse, requestIndex: number) {
    this.#response = response;
    this.#requestIndex = requestIndex;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
  }

  raw(data: unknown): void {
    this.#response.write(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
  }

  delta(delta: object, finishReason: string | null = null): void {
    const choices = [{ index: 0, delta, finish_reason: finishReason }];
    this.raw({ id: `answer_${this.#requestIndex}`, object: "chat.completion.chunk", created: 1, model: "m", choices });
  }

  text(text: string): void {
    for (const content of piecesOf(text, 4)) this.delta({ content });
  }

  calls(calls: readonly ServedCall[], quirks: Quirks): void {
    for (const [callIndex, call] of calls.entries()) {
      const index = quirks.indexAlwaysZero ? 0 : callIndex;
      const id = quirks.withoutId ? {} : { id: idOf(this.#requestIndex, callIndex) };
      const text = argumentsOf(call);
      const [first = "", ...rest] = quirks.wholeArguments ? [text] : ["", ...piecesOf(text, argumentPieceChars)];
      const head = { index, ...id, type: "function", function: { name: call.name, arguments: first } };
      this.delta({ tool_calls: [head] });
      for (const piece of rest) this.delta({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }

  end(finishReason: string): void {
    this.delta({}, finishReason);
    this.raw({
      id: `answer_${this.#requestIndex}`,
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [],
      usage,
    });
    this.raw("[DONE]");
    this.#response.end();
  }
}

const sendJson = (response: ServerResponse, status: number, body: object, headers = {}): void => {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
};

type Answer = Extract<Reply, { text: string } | { calls: unknown } | { empty: true }>;

const callsOf = (reply: Answer) => ("calls" in reply ? reply.calls : []);
const textOf = (reply: Answer) => ("text" in reply ? (reply.text ?? "") : "");
const finishOf = (reply: Answer): string => {
  if (!("calls" in reply)) return "stop";
  if (reply.quirks?.finishLength) return "length";
  return reply.quirks?.finishStop ? "stop" : "tool_calls";
};

const sendWhole = async (response: ServerResponse, reply: Answer, requestIndex: number): Promise<void> => {
  if ("after" in reply) await reply.after;
  const toolCalls = callsOf(reply).map((call, index) => ({
    id: idOf(requestIndex, index),
    type: "function",
    function: { name: call.name, arguments: argumentsOf(call) },
  }));
  const message = {
    role: "assistant",
    content: textOf(reply),
    ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
  };
  const choices = [{ index: 0, message, finish_reason: finishOf(reply) }];
  sendJson(response, 200, {
    id: `answer_${requestIndex}`,
    object: "chat.completion",
    created: 1,
    model: "m",
    choices,
    usage,
  });
};

const sendStream = async (response: ServerResponse, reply: Answer, requestIndex: number): Promise<void> => {
  const writer = new Writer(response, requestIndex);
  writer.delta({ role: "assistant", content: "" });
  if ("after" in reply) await reply.after;
  writer.text(textOf(reply));
  writer.calls(callsOf(reply), ("quirks" in reply ? reply.quirks : undefined) ?? {});
  writer.end(finishOf(reply));
};

const sendFault = (
  response: ServerResponse,
  reply: Extract<Reply, { stall: true } | { drop: true } | { streamError: object }>,
  requestIndex: number,
): void => {
  if (reply.afterText !== undefined) new Writer(response, requestIndex).text(reply.afterText);
  if ("drop" in reply) {
    // What was written goes out before the cut.
    setImmediate(() => response.socket?.resetAndDestroy());
  } else if ("streamError" in reply) {
    if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${JSON.stringify({ error: reply.streamError })}\n\n`);
    response.end("data: [DONE]\n\n");
  }
};

const send = async (
  response: ServerResponse,
  reply: Reply,
  request: { isStream: boolean; index: number },
): Promise<void> => {
  if ("status" in reply) {
    sendJson(response, reply.status, { error: reply.error ?? { message: `status ${reply.status}` } }, reply.headers);
  } else if ("stall" in reply || "drop" in reply || "streamError" in reply) {
    sendFault(response, reply, request.index);
  } else {
    await (request.isStream ? sendStream : sendWhole)(response, reply, request.index);
  }
};

const readBody = async (request: IncomingMessage): Promise<ServedRequest["body"]> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString("utf8")) as ServedRequest["body"];
};

/**
 * Starts a server that speaks enough of OpenAI's chat protocol for a model run: streamed or whole, with tool calls in
 * small pieces and with usage, and that fails in every way a test asks for. It listens on a free port of the loopback.
 */
export const startOpenAiServer = async (replies: Replies): Promise<OpenAiServer> => {
  const requests: ServedRequest[] = [];
  const sockets = new Set<Socket>();
  const waiters: (() => void)[] = [];
  let open = 0;
  let openMax = 0;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    open += 1;
    openMax = Math.max(openMax, open);
    response.once("close", () => {
      open -= 1;
      if (open === 0) for (const wake of waiters.splice(0)) wake();
    });
    const index = requests.length;
    const served: { headers: IncomingMessage["headers"]; body?: ServedRequest["body"] } = { headers: request.headers };
    requests.push(served as ServedRequest);
    served.body = await readBody(request);
    const reply = typeof replies === "function" ? replies(served as ServedRequest, index) : replies[index];
    const unscripted = { status: 500, error: { message: `no reply for request ${index + 1}` } };
    await send(response, reply ?? unscripted, { isStream: served.body.stream === true, index });
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    // A reset that a test asked for, or a client that left, is no fault of the server.
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    get openSockets() {
      return sockets.size;
    },
    get open() {
      return open;
    },
    get openMax() {
      return openMax;
    },
    idle: () => (open === 0 ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve))),
    [Symbol.asyncDispose]: async () => {
      const closed = [server, ...sockets].map((closing) => once(closing, "close"));
      server.close();
      server.closeAllConnections();
      await Promise.all(closed);
    },
  };
};
