import { cloneSession, type SessionState } from "teamchart/machines";

interface Keyframe {
  readonly position: number;
  readonly session: SessionState;
}

const framesMax = 200;
const everyMin = 64;

/** Copies of a session along its log, so that going back folds a short way. The longer the log, the wider they stand. */
export class Keyframes {
  #frames: Keyframe[];
  #every = everyMin;

  constructor(base: SessionState) {
    this.#frames = [{ position: 0, session: base }];
  }

  get base(): SessionState {
    // The first frame is there from the start, and `drop` keeps one.
    return (this.#frames[0] as Keyframe).session;
  }

  /** Is told of the session after `position` entries, one by one. */
  note(position: number, session: SessionState): void {
    // A copy costs as much as there are members: in a large team they stand wider.
    const every = Math.max(this.#every, session.members.size >> 3);
    if (position - (this.#frames.at(-1)?.position ?? 0) < every) return;
    this.#frames.push({ position, session: cloneSession(session) });
    if (this.#frames.length <= framesMax) return;
    this.#frames = this.#frames.filter((_frame, index) => index % 2 === 0);
    this.#every *= 2;
  }

  /** The last copy at or before a position. */
  before(position: number): Keyframe {
    let [low, high] = [0, this.#frames.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#frames[middle]?.position ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    // As above: the first one is always there.
    return this.#frames[low] as Keyframe;
  }

  /** The first entries are gone, up to a frame. */
  drop(count: number): void {
    this.#frames = this.#frames
      .filter((frame) => frame.position >= count)
      .map(({ position, session }) => ({ position: position - count, session }));
  }
}
