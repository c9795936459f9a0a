/**
 * A set of tuples of small integers, each with its number in order of arrival. Exact: tuples are stored and compared whole,
 * so no two states are ever taken for one. A tuple of length n costs 4n + 8 bytes and its share of the index.
 */
export class TupleTable {
  #cells = new Int32Array(1 << 12);
  #used = 0;
  /** Where each tuple begins; one more than there are tuples. */
  #starts = new Int32Array(1 << 10);
  #count = 0;
  /** Open addressing: number + 1 of the tuple in a slot, 0 = free. */
  #slots = new Int32Array(1 << 11);

  /** How many different tuples were added. */
  get size(): number {
    return this.#count;
  }

  /** Bytes in use by the tables. */
  get bytes(): number {
    return this.#cells.byteLength + this.#starts.byteLength + this.#slots.byteLength;
  }

  /** The number of the tuple in the first `length` cells; that of a new one is the size before. */
  add(tuple: Int32Array, length: number): number {
    const mask = this.#slots.length - 1;
    let slot = hashOf(tuple, length) & mask;
    for (let found = this.#slots[slot] ?? 0; found !== 0; found = this.#slots[slot] ?? 0) {
      if (this.#equals(found - 1, tuple, length)) return found - 1;
      slot = (slot + 1) & mask;
    }
    this.#append(tuple, length);
    this.#slots[slot] = this.#count;
    if (this.#count * 2 > this.#slots.length) this.#rehash();
    return this.#count - 1;
  }

  #equals(number: number, tuple: Int32Array, length: number): boolean {
    const start = this.#starts[number] ?? 0;
    if ((this.#starts[number + 1] ?? 0) - start !== length) return false;
    for (let index = 0; index < length; index++) if (this.#cells[start + index] !== tuple[index]) return false;
    return true;
  }

  #append(tuple: Int32Array, length: number): void {
    this.#cells = roomFor(this.#cells, this.#used + length);
    this.#starts = roomFor(this.#starts, this.#count + 2);
    for (let index = 0; index < length; index++) this.#cells[this.#used + index] = tuple[index] ?? 0;
    this.#used += length;
    this.#count++;
    this.#starts[this.#count] = this.#used;
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let number = 0; number < this.#count; number++) {
      const tuple = this.#cells.subarray(this.#starts[number], this.#starts[number + 1]);
      let slot = hashOf(tuple, tuple.length) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = number + 1;
    }
  }
}

/** The array, or a longer copy of it that holds `length` cells. */
export function roomFor(array: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  if (length <= array.length) return array;
  const longer = new Int32Array(Math.max(length, array.length * 2));
  longer.set(array);
  return longer;
}

/** Mixes every cell; where two tuples meet decides nothing but time. */
function hashOf(tuple: Int32Array, length: number): number {
  let hash = length;
  for (let index = 0; index < length; index++) {
    hash = Math.imul(hash ^ (tuple[index] ?? 0), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ (hash >>> 13), 0x85ebca6b);
  return (hash ^ (hash >>> 16)) >>> 0;
}
