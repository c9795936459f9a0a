/** Who a conflict names when the change came from no member. */
const outsider = "somebody outside the team";

/**
 * Which version of each file every member knows, and who of the team wrote it last. A version is the digest of the
 * content; a path is the real one, after all links.
 */
export class WriteLedger {
  readonly #filesRememberedMax: number;
  readonly #known = new Map<string, Map<string, string>>();
  readonly #lastWrites = new Map<string, { readonly member: string; readonly digest: string }>();

  constructor(options: { readonly filesRememberedMax: number }) {
    this.#filesRememberedMax = options.filesRememberedMax;
  }

  /** Notes that `member` has seen this version. */
  noteRead(member: string, path: string, digest: string): void {
    const files = this.#known.get(member) ?? new Map<string, string>();
    this.#known.set(member, files);
    // Setting anew moves the file to the end, so the first one is the one not touched for longest.
    files.delete(path);
    files.set(path, digest);
    const oldest = files.keys().next().value;
    if (files.size > this.#filesRememberedMax && oldest !== undefined) files.delete(oldest);
  }

  /** Notes that `member` made this version. */
  noteWrite(member: string, path: string, digest: string): void {
    this.#lastWrites.set(path, { member, digest });
    this.noteRead(member, path, digest);
  }

  /**
   * Who made the version `current` without `member` having seen it, or null if `member` may overwrite it. Own versions
   * and seen ones may be overwritten, and so may a file that the team never wrote and `member` never read.
   */
  otherAuthor(member: string, path: string, current: string): string | null {
    const known = this.#known.get(member)?.get(path);
    const last = this.#lastWrites.get(path);
    if (known === current) return null;
    // Also when a slow read of an older version ended after the own write.
    if (last?.member === member && last.digest === current) return null;
    if (known === undefined && (last === undefined || last.member === member)) return null;
    return last?.digest === current ? last.member : outsider;
  }
}
