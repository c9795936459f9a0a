// node --expose-gc bench/leaks.ts [COUNT]: what is left of sessions and teams that came and went.
import { held, sessionLoop, teamLoop } from "./leak-loops.ts";

const count = Number(process.argv[2] ?? "2000");
const parts = 4;

for (const [name, open] of [
  ["a session for each team", sessionLoop],
  ["one session for all teams", teamLoop],
] as const) {
  const loop = await open();
  for (let done = 0; done < 200; done++) await loop.once();
  let before = await held();
  for (let part = 1; part <= parts; part++) {
    const start = performance.now();
    for (let done = 0; done < count / parts; done++) await loop.once();
    const ms = performance.now() - start;
    const now = await held();
    const bytes = (now.heapBytes - before.heapBytes) / (count / parts);
    process.stdout.write(
      `${name}: ${(count / parts) * part} teams, ${bytes.toFixed(0)} bytes kept of each, ${(ms / (count / parts)).toFixed(2)} ms each, ${now.resources.length} handles (${before.resources.length} before)\n`,
    );
    before = now;
  }
  await loop.close();
}
