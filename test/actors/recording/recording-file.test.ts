import { execFileSync } from "node:child_process";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRecordingFile } from "../../../src/actors/recording/recording-file.ts";
import { rejection } from "../../support/sessions.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

test.skipIf(process.platform === "win32")(
  "a disk that falls behind by more than the bound ends the recording instead of filling the memory",
  async () => {
    const path = join(temporaryFolder(), "slow");
    execFileSync("mkfifo", [path]);
    // A reader that does not read: the pipe holds little, the rest waits.
    const reader = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const file = await openRecordingFile(path, { waitingBytesMax: 300_000 });
    const line = "x".repeat(50_000);
    let waits = 0;
    let fault: unknown = null;
    for (let n = 0; n < 100 && fault === null; n += 1) {
      const room = file.write(line);
      if (room === null) continue;
      waits += 1;
      room.catch((given: unknown) => (fault = given));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(fault).toMatchObject({ code: "bad_file", data: { problem: expect.stringContaining("too slow") as string } });
    expect(waits).toBeLessThan(15);
    await reader.close();
    expect(await rejection(file.close())).toBe(fault);
  },
);
