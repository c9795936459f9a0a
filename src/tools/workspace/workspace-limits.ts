/** The limits of a workspace. Reaching one is either a typed refusal or said in the result, never a silent cut. */
export interface WorkspaceLimits {
  /** Bytes of text that one result (of a read, a list or a search) carries. */
  readonly fileBytesMax: number;
  /** Bytes of UTF-8 that one write may have. */
  readonly writeBytesMax: number;
  /** Bytes of the largest file that is read or overwritten at all: its digest needs all of it. */
  readonly scanBytesMax: number;
  /** Entries that one list shows. */
  readonly listEntriesMax: number;
  /** Entries that one list or search looks at. */
  readonly scanEntriesMax: number;
  /** Folders below the named one that a list or search descends. */
  readonly depthMax: number;
  /** Matching lines that one search shows. */
  readonly searchMatchesMax: number;
  /** Bytes of the largest file that is searched; larger ones are counted. */
  readonly searchFileBytesMax: number;
  /** Characters of a search pattern. */
  readonly patternCharsMax: number;
  /** How long one search may take; what was found until then is the result. */
  readonly searchMs: number;
  /** Files per member whose last read version is remembered; of the oldest one only other members' writes are noticed. */
  readonly filesRememberedMax: number;
  /** How long a command may run unless the call says otherwise. */
  readonly commandMs: number;
  /** The longest timeout that a call may ask for. */
  readonly commandMsMax: number;
  /** How long a stopped command has between SIGTERM and SIGKILL. */
  readonly killGraceMs: number;
  /** Bytes kept of each output stream of a command, counted from its end. */
  readonly outputBytesMax: number;
}

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** The limits that hold where `openWorkspace` is given none. */
export const defaultWorkspaceLimits: WorkspaceLimits = Object.freeze({
  fileBytesMax: 256 * kibibyte,
  writeBytesMax: mebibyte,
  scanBytesMax: 64 * mebibyte,
  listEntriesMax: 1_000,
  scanEntriesMax: 50_000,
  depthMax: 32,
  searchMatchesMax: 200,
  searchFileBytesMax: 2 * mebibyte,
  patternCharsMax: 1_000,
  searchMs: 5_000,
  filesRememberedMax: 50_000,
  commandMs: 60_000,
  commandMsMax: 600_000,
  killGraceMs: 2_000,
  outputBytesMax: 64 * kibibyte,
});
