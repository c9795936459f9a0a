// `expect` with the checker's matchers. A setup file of vitest may hold this instead: see docs/check-a-protocol.md.
import { checkMatchers, type CheckMatchers } from "teamchart/testing";
import { expect } from "vitest";

expect.extend(checkMatchers);

declare module "vitest" {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> extends CheckMatchers<R> {}
}

export { expect };
