/** One server-sent event. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  readonly id: string | null;
}

/**
 * Parses server-sent events from the pieces of a response; pieces may end anywhere. `take` returns the events that are
 * complete now.
 */
export class ServerEventParser {
  #rest = "";
  #event = "message";
  #data: string[] = [];
  #id: string | null = null;

  take(piece: string): ServerEvent[] {
    const lines = (this.#rest + piece).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.#line(line) ?? []);
  }

  #line(line: string): ServerEvent | null {
    if (line === "") return this.#end();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + (line[colon + 1] === " " ? 2 : 1));
    if (field === "event") this.#event = value;
    else if (field === "data") this.#data.push(value);
    else if (field === "id") this.#id = value;
    return null;
  }

  #end(): ServerEvent | null {
    const event = this.#data.length === 0 ? null : { event: this.#event, data: this.#data.join("\n"), id: this.#id };
    this.#event = "message";
    this.#data = [];
    return event;
  }
}
