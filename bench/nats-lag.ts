import { natsBus } from "../src/bus/nats.ts";
import { appendOf, home } from "../test/bus/contract/test-bus.ts";
import { NatsServer } from "../test/support/nats-server.ts";
import { TcpProxy } from "../test/support/tcp-proxy.ts";

/** `node --conditions=@teamchart/source bench/nats-lag.ts`: how long a follower and a writer are cut off by a break and by a restart. */
const breaks = 10;
const restarts = 5;
const beatMs = 5;

/** One follower and one writer, each of which says when it next got through. */
async function watch(url: string) {
  const bus = await natsBus({ servers: url, onError: () => {} });
  const heard = { after: Infinity, tell: (_ms: number): void => {} };
  bus.follow(home, 1).subscribe(({ input }) => {
    if (input.at >= heard.after) {
      heard.after = Infinity;
      heard.tell(performance.now());
    }
  });
  /** Resolves with when the first input that was made from now on is delivered. */
  const next = (): Promise<number> =>
    new Promise((resolve) => {
      heard.tell = resolve;
      heard.after = Date.now();
    });
  return { bus, next };
}

const shown = (list: readonly number[]): string => {
  const sorted = list.toSorted((a, b) => a - b).map((ms) => Math.round(ms));
  return `median ${sorted[Math.floor(sorted.length / 2)]} ms, worst ${sorted.at(-1)} ms of ${sorted.length}`;
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

await using server = await NatsServer.start();
await using proxy = await TcpProxy.start(() => server.port);
const writer = await natsBus({ servers: server.url, onError: () => {} });
const { bus, next } = await watch(proxy.url);
let count = 0;
const beat = setInterval(() => {
  count += 1;
  const append = appendOf(`beat-${count}`);
  writer.append({ ...append, input: { ...append.input, at: Date.now() } }).catch(() => {});
}, beatMs);
await next();

const afterBreak: number[] = [];
for (let n = 0; n < breaks; n += 1) {
  proxy.swallow();
  await proxy.untilSwallowed(500);
  const from = performance.now();
  proxy.cut();
  afterBreak.push((await next()) - from);
  await pause(300);
}
console.log(`follower after a broken connection: ${shown(afterBreak)}`);

const [follower, append]: [number[], number[]] = [[], []];
for (let n = 0; n < restarts; n += 1) {
  await server.kill();
  await pause(500);
  await server.start();
  const from = performance.now();
  const own = appendOf(`own-${n}`);
  const stored = bus.append({ ...own, input: { ...own.input, at: Date.now() } }).then(() => performance.now());
  const [heard, acknowledged] = await Promise.all([next(), stored]);
  follower.push(heard - from);
  append.push(acknowledged - from);
  await pause(300);
}
console.log(`follower after the server accepts again: ${shown(follower)}`);
console.log(`append after the server accepts again: ${shown(append)}`);
clearInterval(beat);
await Promise.all([writer.close(), bus.close()]);
