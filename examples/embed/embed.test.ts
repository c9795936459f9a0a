import { connect, type AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { server } from "./service.ts";

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

test("the service streams what happens and ends with what the team delivered", async () => {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/count?text=${encodeURIComponent("one two\nthree")}`);
  const lines = (await response.text()).trim().split("\n");
  expect(lines).toContain("Reporter member.start in_progress");
  expect(lines.at(-1)).toBe("completed: 3 words, 2 lines");
});

test("requests at the same time keep their teams apart", async () => {
  const { port } = server.address() as AddressInfo;
  const ask = async (text: string) => (await fetch(`http://127.0.0.1:${port}/count?text=${text}`)).text();
  const answers = await Promise.all(["a", "a%20b", "a%20b%20c"].map(ask));
  expect(answers.map((answer) => answer.trim().split("\n").at(-1))).toEqual([
    "completed: 1 words, 1 lines",
    "completed: 2 words, 1 lines",
    "completed: 3 words, 1 lines",
  ]);
});

/** The whole answer to a request whose target no client of HTTP would send. */
async function answerTo(target: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  return textOf(socket);
}

test.each(["//", "/count", "http://[", "/%"])(
  "GET %s is answered with 400, and the service goes on",
  async (target) => {
    expect(await answerTo(target)).toMatch(/^HTTP\/1\.1 400 .*\r\n/);
    expect(await answerTo("/count?text=a")).toContain("completed: 1 words, 1 lines\n");
  },
);

test("what the team system refuses is answered with its status and its sentence", async () => {
  const answer = await answerTo(`/count?text=${"a".repeat(5_000)}`);
  expect(answer).toMatch(/^HTTP\/1\.1 413 .*\r\n/);
  expect(answer).toMatch(/4,?096/);
});
