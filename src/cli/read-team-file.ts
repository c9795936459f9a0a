import { open } from "node:fs/promises";
import { TeamError } from "../errors/index.ts";
import type { TeamFile } from "../protocol/team-file.ts";
import { parseTeamFile } from "./parse-team-file.ts";

/** Bytes of a team file: 50,000 members fit in. */
const bytesMax = 8 * 1024 * 1024;

/** Reads a team file, YAML or JSON. Whatever is wrong with it, from its path to its last key, is `bad_file`. */
export async function readTeamFile(path: string): Promise<TeamFile> {
  return parseTeamFile(decode(await readBytes(path), path), path);
}

async function readBytes(path: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    await using file = await open(path, "r");
    // One byte more than allowed shows that there is more.
    const stream: AsyncIterable<Buffer> = file.createReadStream({ start: 0, end: bytesMax });
    for await (const chunk of stream) chunks.push(chunk);
  } catch (cause) {
    throw new TeamError("bad_file", { file: path, problem: whyUnread(cause), fault: "unreadable" }, { cause });
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.length > bytesMax) throw badFile(path, `it has more than ${bytesMax} bytes; make it smaller`);
  return bytes;
}

const badFile = (file: string, problem: string): TeamError => new TeamError("bad_file", { file, problem });

function whyUnread(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : "";
  if (code === "ENOENT" || code === "ENOTDIR") return "there is no such file";
  if (code === "EISDIR") return "it is a folder; name a file";
  if (code === "EACCES" || code === "EPERM") return "you may not read it";
  return `it cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}

/** UTF-8 with or without a byte order mark; anything else is no text. */
function decode(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new TeamError("bad_file", { file: path, problem: "it is no UTF-8 text; save it as UTF-8" }, { cause });
  }
}
