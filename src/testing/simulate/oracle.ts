import type { EventLine } from "../../protocol/recording.ts";
import type { Evidence, LogRecord, Observation } from "./evidence.ts";

type Planned = { readonly name: string; readonly dependsOn?: readonly string[]; readonly replaces?: string };
type Marked = { readonly reason?: string; readonly position?: number };
/** The few fields of bodies and plans that are judged by. */
type Body = Marked & { readonly [List in "members" | "add" | "rewire"]?: readonly Planned[] };

/** What of the evidence breaks a guarantee first, or null. It knows the guarantees and the log, and nothing of machines. */
export function findBroken({ records, lines, observations }: Evidence): string | null {
  const oracle = new Oracle();
  const bySeq = new Map(records.map((record) => [record.seq, record]));
  for (const line of lines) {
    const record = line.step === 0 ? bySeq.get(line.seq) : undefined;
    oracle.at = `input ${line.seq}: `;
    if (record !== undefined && (line.verdict === "handled" || line.verdict === "ignored")) oracle.readInput(record);
    if (line.verdict === "handled") oracle.readLine(line);
  }
  for (const observation of observations) oracle.readObservation(observation);
  oracle.judgeEnd();
  return oracle.broken;
}

class Oracle {
  broken: string | null = null;
  at = "";
  #epoch = 0;
  #team: "none" | "active" | "dissolving" | "dissolved" = "none";
  readonly #runs = new Map<string, { readonly epoch: number; readonly n: number; readonly k: number }>();
  readonly #upstreams = new Map<string, readonly string[]>();
  readonly #statuses = new Map<string, string>();
  /** Whose mail it is that is still to be read; it is read or dead-lettered, once. */
  readonly #unread = new Map<string, string>();
  /** Numbers that only grow: places in scripts, commands of clients. */
  readonly #counts = new Map<string, number>();
  /** Sequence at which a call was started. */
  readonly #started = new Map<string, number>();
  /** What may be only once and has been; marks of commands that were carried out are among it. */
  readonly #once = new Set<string>();

  readInput(record: LogRecord): void {
    const { event, actor, seq, from, epoch, command, body: given } = record;
    const body = (given ?? {}) as /* was parsed before it was stored */ Body;
    const isOfRun = "k" in event || (command !== undefined && "call" in command);
    const isOfOwner = isOfRun || event.type === "timer.due" || event.type === "run.lost";
    this.#require(!isOfOwner || epoch === this.#epoch, `${event.type} of epoch ${epoch} counts in ${this.#epoch}`);
    if ("k" in event) this.#readReport(actor, event);
    if (command !== undefined && "n" in command) this.#grow(`command of ${command.client}`, command.n);
    if (command !== undefined && "run" in command)
      this.#require(command.run >= (this.#runs.get(from)?.n ?? 0), `an old run of ${from} commands`);
    if (event.type === "owner.claimed") this.#epoch = this.#grow("epoch", event.epoch);
    if (event.type === "owner.claimed") this.#once.add(`${event.node} owns epoch ${event.epoch}`);
    if (event.type === "run.answered" && body.position !== undefined) this.#grow(`answer of ${actor}`, body.position);
    if (event.type === "run.injected") for (const id of event.mail) this.#settleMail(id);
    if ((event.type === "tool.started" || event.type === "tool.ended") && event.call.startsWith("script_"))
      this.#only(`${event.type} of ${event.call}`);
    if (event.type === "tool.started") this.#started.set(event.call, seq);
    if (event.type === "permission.answer") this.#only(`answer to permission ${event.request}`);
    if (event.type === "message.send" && typeof given === "string") this.#once.add(given);
    if (event.type === "team.create") this.#readTeam(body);
    if (event.type === "team.replan") this.#readReplan(body);
    if (event.type === "team.dissolve") this.#once.add(event.reason ?? "");
    if (event.type === "team.dissolve" && this.#team === "active") this.#team = "dissolving";
  }

  readLine({ actor, event, status, step }: EventLine): void {
    const id = String(event["id"]);
    const isOfMember = this.#upstreams.has(actor) && (step > 0 || "k" in event);
    this.#require(this.#team !== "dissolved" || !isOfMember, `${event.type} moves ${actor} after the team's end`);
    if (event.type === "team.dissolved") this.#team = "dissolved";
    if (event.type === "mail.arrived" && event["kind"] !== "system") this.#unread.set(id, actor);
    if (event.type === "message.dead_lettered") this.#settleMail(id);
    if (status === undefined) return;
    const before = this.#statuses.get(actor);
    const isOpen = before === undefined || before === "blocked" || before === "in_progress" || status === before;
    const mayLeave = event.type === "member.retry" || (before === "failed" && event.type === "member.cancel");
    this.#require(isOpen || mayLeave, `${actor} was ${before} and is ${status}`);
    const open = (this.#upstreams.get(actor) ?? []).filter((name) => this.#statuses.get(name) !== "completed");
    const starts = status === "in_progress" && before !== "in_progress";
    this.#require(!starts || open.length === 0, `${actor} starts before ${open.join(", ")} completed`);
    this.#statuses.set(actor, status);
  }

  readObservation(seen: Observation): void {
    this.at = `${seen.atMs} on ${seen.node}: `;
    if (seen.type === "accepted") this.#require(this.#once.has(seen.mark), `"${seen.mark}" was accepted and is lost`);
    if (seen.type === "refused") this.#require(!this.#once.has(seen.mark), `"${seen.mark}" was refused and done`);
    if (seen.type === "tool.executed") {
      const isStarted = (this.#started.get(seen.call) ?? Infinity) <= seen.afterSeq;
      this.#require(isStarted, `${seen.call} is executed before its start is in the log`);
      if (!seen.mayRepeat) this.#only(`execution of ${seen.call}`);
    }
    const isOwner = !("epoch" in seen) || this.#once.has(`${seen.node} owns epoch ${seen.epoch}`);
    this.#require(isOwner, `${seen.type} for ${seen.actor} on a node that does not own the session`);
    if (seen.type === "function.began") this.#only(`run of ${seen.actor} at one time on ${seen.node}`);
    if (seen.type === "function.ended") this.#once.delete(`run of ${seen.actor} at one time on ${seen.node}`);
  }

  judgeEnd(): void {
    this.at = "in the end ";
    this.#require(this.#team !== "dissolving", "a dissolve was accepted and has no end");
    const left = [...this.#unread].find(([, reader]) => reader !== "Lead" && this.#team === "dissolved");
    this.#require(left === undefined, `mail ${left?.join(" of ")} is neither read nor dead-lettered`);
  }

  #readReport(actor: string, { run, k }: { readonly run: number; readonly k: number }): void {
    const { epoch, ...last } = this.#runs.get(actor) ?? { epoch: 0, n: 0, k: 0 };
    this.#require(run >= last.n, `run ${run} of ${actor} reports after run ${last.n}`);
    const next = epoch === this.#epoch && last.n === run ? last.k + 1 : 1;
    this.#require(k === next, `report ${k} of run ${run} of ${actor} comes where ${next} is due`);
    this.#runs.set(actor, { epoch: this.#epoch, n: run, k });
  }

  #readTeam({ members = [] }: Body): void {
    this.#team = "active";
    for (const map of [this.#upstreams, this.#statuses]) map.clear();
    for (const { name, dependsOn = [] } of members) this.#upstreams.set(name, dependsOn);
  }

  #readReplan({ add = [], rewire = [], reason = "" }: Body): void {
    this.#once.add(reason);
    for (const { name, dependsOn, replaces = "" } of add) {
      this.#upstreams.set(name, dependsOn ?? this.#upstreams.get(replaces) ?? []);
      for (const [each, names] of this.#upstreams)
        if (names.includes(replaces)) this.#upstreams.set(each, [...names.filter((old) => old !== replaces), name]);
    }
    for (const { name, dependsOn = [] } of rewire) this.#upstreams.set(name, dependsOn);
  }

  #settleMail(id: string): void {
    this.#only(`end of mail ${id}`);
    this.#unread.delete(id);
  }

  #grow(what: string, value: number): number {
    const before = this.#counts.get(what) ?? 0;
    this.#require(value > before, `${what} ${value} comes after ${before}`);
    this.#counts.set(what, value);
    return value;
  }

  #only(what: string): void {
    this.#require(!this.#once.has(what), `${what} for a second time`);
    this.#once.add(what);
  }

  #require(holds: boolean, what: string): void {
    if (!holds) this.broken ??= this.at + what;
  }
}
