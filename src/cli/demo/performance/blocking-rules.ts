import { lastName, qualifiedName } from "../syntax/names.ts";
import { because, performanceRule, type Heat, type PerformanceRule } from "./performance-rule.ts";
import type { Remark } from "../rule.ts";
import type { Node } from "../syntax/node.ts";

const FILE_SYNC = /^(fs|fs-extra|graceful-fs)\.\w+Sync$/;
const PROCESS_SYNC = /^(child_process\.(exec|execFile|spawn)Sync|execa\.(execaSync|execaCommandSync))$/;
const CRYPTO_SYNC =
  /^(crypto\.(pbkdf2|scrypt|generateKeyPair|generatePrime|checkPrime)Sync|bcrypt(js)?\.(hash|compare)Sync)$/;
const ZLIB_SYNC = /^zlib\.\w+Sync$/;

/** Calls that only look up one entry: they block too, but for microseconds. */
const QUICK = /^(fs|fs-extra|graceful-fs)\.(exists|stat|lstat|access)Sync$/;

interface Block {
  readonly what: string;
  readonly instead: string;
  readonly isQuick: boolean;
}

const blockOf = (name: string): Block | null => {
  if (FILE_SYNC.test(name)) return { what: "the disk answers", instead: "fs/promises", isQuick: QUICK.test(name) };
  if (PROCESS_SYNC.test(name))
    return { what: "the other program has ended", instead: "the asynchronous form", isQuick: false };
  if (CRYPTO_SYNC.test(name)) return { what: "the key is computed", instead: "the asynchronous form", isQuick: false };
  if (ZLIB_SYNC.test(name))
    return { what: "all is packed or unpacked", instead: "a stream or the asynchronous form", isQuick: false };
  return name === "Atomics.wait"
    ? { what: "another thread wakes it", instead: "Atomics.waitAsync", isQuick: false }
    : null;
};

const remarkOn = (at: Node, name: string, block: Block, heat: Heat): Remark | null => {
  const text = `${name} stops the whole process until ${block.what}. Use ${block.instead}.`;
  if (heat.handler !== null) {
    return { at, severity: block.isQuick ? "medium" : "high", message: `${text}${because(heat)}` };
  }
  if (heat.isScript || !heat.isInFunction) {
    // One user waits anyway; only a process per element is worth a word.
    const isSlow = heat.loops.length > 0 && PROCESS_SYNC.test(name);
    return isSlow ? { at, severity: "low", message: `${name} in a loop runs one program after the other.` } : null;
  }
  if (heat.isInAsync) {
    // A file is read in a blink; a program, a key or an archive takes as long as it takes.
    const isLong = !FILE_SYNC.test(name) || (heat.loops.length > 0 && !block.isQuick);
    return {
      at,
      severity: isLong ? "medium" : "low",
      message: `${text} The function around it is asynchronous already.`,
    };
  }
  return heat.loops.length > 0 && !block.isQuick
    ? { at, severity: "low", message: `${text} Here once per turn of a loop.` }
    : null;
};

const blockingCall: PerformanceRule = performanceRule("blocking-call", ["CallExpression"], (node, module, heat) => {
  if (!/(Sync|wait)$/.test(lastName(node.callee) ?? "")) {
    // A local alias may hide the ending, so only names that are one are looked up.
    if (node.callee.type !== "Identifier") return null;
  }
  const name = qualifiedName(node.callee, module) ?? "";
  const block = blockOf(name);
  return block === null ? null : remarkOn(node, name, block, heat());
});

/** Calls that stop the event loop. */
export const blockingRules: readonly PerformanceRule[] = [blockingCall];
