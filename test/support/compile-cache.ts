import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/** Where processes that tests start keep what they have compiled: the next one need not do it again. */
export const compileCache: Readonly<Record<"NODE_COMPILE_CACHE", string>> = {
  NODE_COMPILE_CACHE: join(tmpdir(), `teamchart-test-compile-cache-${userInfo().uid}`),
};
