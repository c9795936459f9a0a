import { gzipSync } from "node:zlib";

/** A file of the built page. */
export interface PageFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What the page may weigh, packed, in KiB: what is loaded before anything is shown. The layout's worker comes later. */
export const budgetKiB = { script: 210, style: 8 } as const;

const packedKiB = (files: readonly PageFile[]): number =>
  files.reduce((sum, { bytes }) => sum + gzipSync(bytes).length, 0) / 1024;

/** What is wrong with a built page. `worker` is the layout's worker as it was published: it is shipped as it is. */
export function pageFaults(files: readonly PageFile[], worker: Uint8Array): readonly string[] {
  const faults: string[] = [];
  const ending = (end: string): PageFile[] => files.filter(({ path }) => path.endsWith(end));
  const workers = files.filter(({ path }) => path.includes("elk-worker"));
  const scripts = ending(".js").filter((file) => !workers.includes(file));
  for (const [kind, found] of [
    ["script", scripts],
    ["style", ending(".css")],
  ] as const) {
    const size = packedKiB(found);
    if (found.length === 0) faults.push(`there is no ${kind}`);
    if (size > budgetKiB[kind]) faults.push(`${kind}: ${size.toFixed(1)} KiB packed, of at most ${budgetKiB[kind]}`);
  }
  if (workers.length !== 1 || Buffer.compare(Buffer.from(workers[0]?.bytes ?? []), worker) !== 0)
    faults.push("the worker of elkjs is not the file that was published");
  if (!files.some(({ path }) => path === "third-party-licenses.txt"))
    faults.push("the licences of what is bundled are missing");
  const html = new TextDecoder().decode(files.find(({ path }) => path === "index.html")?.bytes);
  for (const [what, pattern] of forbidden) if (pattern.test(html)) faults.push(`index.html has ${what}`);
  return faults;
}

const forbidden: readonly (readonly [string, RegExp])[] = [
  ["an inline script", /<script(?![^>]*\bsrc=)/],
  ["an inline style", /<style|\sstyle=/],
  ["an address that is not its own", /\b(?:src|href)="(?!\.\/)/],
];
