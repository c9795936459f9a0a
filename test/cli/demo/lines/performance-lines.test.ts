import { expect, test } from "vitest";
import { reviewPerformance } from "../../../../src/cli/demo/performance/review-performance.ts";
import { saidAbout } from "../../../support/review-of.ts";

test("a blocking call in a coroutine is found", async () => {
  const text = "import time\n\nasync def load():\n    if a:\n\n        time.sleep(1)\n";
  expect(await saidAbout(reviewPerformance, text, "a.py")).toEqual(["medium blocking-call 6"]);
});

test.each([
  "def load():\n    time.sleep(1)\n",
  "async def load():\n    await asyncio.sleep(1)\n\ntime.sleep(1)\n",
  "async def load():\n    def inner():\n        time.sleep(1)\n    return inner\n",
  "async def load():\n    # time.sleep(1)\n    return 'time.sleep(1)'\n",
])("%j is fine", async (text) => {
  expect(await saidAbout(reviewPerformance, text, "a.py")).toEqual([]);
});
