import { isTeamError } from "../errors/index.ts";
import type { Clock } from "../protocol/clock.ts";
import { batchMail } from "../tools/team/index.ts";
import { batchTexts } from "./batch-texts.ts";
import { closeOpenCalls } from "./close-open-calls.ts";
import { compact } from "./compaction.ts";
import { messagesOf, textOf, type JournalEntry } from "./conversation.ts";
import type { ModelAnswer, ModelToolCall } from "./model-call.ts";
import { budgetReason, ModelCaller, reasonMax, UnreachableModelError } from "./model-caller.ts";
import { estimateTextTokens } from "./models/estimate-tokens.ts";
import { classifyModelError } from "./models/model-error.ts";
import type { ModelRunOptions } from "./model-run-options.ts";
import { landingText, SoftLanding } from "./soft-landing.ts";
import { executeGated } from "./permissions/execute-gated.ts";
import { estimateCallTokens } from "./token-budget.ts";
import type { EndedCall } from "./tool-calls.ts";

/** One turn of an agent loop: inject mail, call the model, execute its calls, until it ends or is stopped. */

const deliver = { type: "tool", toolName: "complete" } as const;

/** Runs the turn. Resolves when it has ended and been reported; a stop ends it in silence. */
export async function runModel(options: ModelRunOptions): Promise<void> {
  const { signal, port } = options;
  try {
    const journal = [...options.journal];
    await closeOpenCalls(options, journal);
    if (options.desired.kind === "close") return;
    await new ModelTurn(options, journal).run();
  } catch (error) {
    if (signal.aborted) return;
    const reason = unplannedReason(error, options.clock);
    // Nobody is left to tell when even this can't be stored: the owner has reported it.
    await port.report({ type: "run.failed", reason }).catch(() => {});
  }
}

/** Why a turn failed outside of a model call. */
function unplannedReason(error: unknown, clock: Clock): string {
  const cause = error instanceof UnreachableModelError ? error.cause : error;
  const { class: kind, message } = classifyModelError(cause, clock);
  return `model_error: ${isTeamError(cause) ? cause.code : kind}: ${message}`.slice(0, reasonMax);
}

class ModelTurn {
  readonly #options: ModelRunOptions;
  readonly #journal: JournalEntry[];
  readonly #landing: SoftLanding;
  #hasTask: boolean;
  /** Whether the next call may call `complete` only. */
  #mustDeliver = false;
  /** What the provider counted for the last prompt, and with its answer, and how many entries of the journal that covers. */
  #counted = { input: 0, tokens: 0, entries: 0 };
  readonly #caller: ModelCaller;

  constructor(options: ModelRunOptions, journal: JournalEntry[]) {
    this.#options = options;
    this.#journal = journal;
    this.#landing = new SoftLanding(journal, options.stepsMax);
    this.#caller = new ModelCaller(options);
    this.#hasTask = options.prompt === null || options.promptedAttempt === options.attempt;
  }

  async run(): Promise<void> {
    const { port, stepsMax } = this.#options;
    for (let steps = 0; ;) {
      const endedByItself = this.#endedByItself();
      if (!(await this.#compact())) return;
      await this.#inject(steps, endedByItself);
      const answer = await this.#ask();
      if (answer === null) return;
      if (answer.calls.length === 0 && answer.invalid.length === 0) {
        await this.#endTurn(answer);
        return;
      }
      if (await this.#runCalls(answer)) return;
      if (answer.script?.waiting !== true) steps += 1;
      if (steps >= stepsMax) {
        await port.report({ type: "run.failed", reason: budgetReason("stepsMax", steps, stepsMax) });
        return;
      }
    }
  }

  /** Appends ONE user message with everything that is new, and journals what it was. */
  async #inject(steps: number, endedByItself: boolean): Promise<void> {
    const { prompt, attempt, nudge, unread, contentOf, originsOf, port, clock } = this.#options;
    const batch = batchMail(unread());
    const texts: string[] = [];
    const givesTask = !this.#hasTask && prompt !== null;
    if (givesTask) texts.push(prompt);
    texts.push(...batchTexts(batch, { contentOf, now: clock.now() }));
    if (texts.length === 0 && steps === 0 && nudge !== null && endedByItself) texts.push(nudge);
    const landing = this.#dueLanding(steps, texts);
    this.#mustDeliver = landing !== null && this.#options.mayDeliver();
    if (landing !== null) texts.push(landingText(landing));
    if (texts.length === 0) return;
    const text = texts.join("\n\n");
    const origins = originsOf(batch);
    const entry = {
      text,
      ...(givesTask ? { attempt } : {}),
      ...(landing === null ? {} : { landing }),
      ...(origins.length === 0 ? {} : { origins }),
    };
    this.#journal.push({ type: "injected", ...entry });
    this.#hasTask = true;
    await port.report({ type: "run.injected", mail: batch.map((mail) => mail.id) }, entry);
  }

  /** The budget whose end has to be told with these texts, or null. */
  #dueLanding(steps: number, texts: readonly string[]) {
    const { budget } = this.#options;
    const added = texts.reduce((sum, text) => sum + estimateTextTokens(text), 0);
    return this.#landing.due(steps, budget.isLimited ? budget.nearlyUsed(this.#estimate() + added) : null);
  }

  /** About how many tokens the next prompt has. */
  #estimate(): number {
    const { budget, instructions } = this.#options;
    if (!budget.isLimited) return 0;
    return Math.max(this.#counted.input, estimateCallTokens(instructions, messagesOf(this.#journal)));
  }

  /** Whether the conversation ends with the model's own words, so that it needs something to answer. */
  #endedByItself(): boolean {
    const last = this.#journal.at(-1);
    return last?.type === "answered" || last === undefined;
  }

  /** The next answer, journalled. Null when the turn is over because there is none. */
  #ask(): Promise<ModelAnswer | null> {
    return this.#caller.ask({
      messages: messagesOf(this.#journal),
      promptTokens: this.#estimate(),
      toolChoice: this.#mustDeliver ? deliver : null,
      compacts: false,
      journal: async ({ content, calls, invalid, usage, finish }, source) => {
        this.#journal.push({ type: "answered", content });
        this.#counted = { input: usage.input, tokens: usage.input + usage.output, entries: this.#journal.length };
        const event = { type: "run.answered", calls: calls.length + invalid.length, usage, finish } as const;
        await this.#options.port.report(event, { content, ...source });
      },
    });
  }

  /** Goes on from a summary when the conversation has become too long; false when the turn is over because there is none. */
  async #compact(): Promise<boolean> {
    const compacted = await compact({
      options: this.#options,
      caller: this.#caller,
      journal: this.#journal,
      counted: this.#counted,
      hasTask: this.#hasTask,
    });
    if (compacted === "failed") return false;
    if (compacted === null) return true;
    this.#journal.splice(0, Infinity, compacted);
    this.#counted = { input: 0, tokens: 0, entries: 0 };
    return true;
  }

  /** A text without a call ends the turn: for a lead it is the answer, for a member it is invisible to others. */
  async #endTurn(answer: ModelAnswer): Promise<void> {
    await this.#options.port.report({ type: "turn.ended", finish: answer.finish }, { text: textOf(answer.content) });
  }

  /** Executes an answer's calls side by side. True when the turn is over with them. */
  async #runCalls({ calls, invalid }: ModelAnswer): Promise<boolean> {
    const { port, serial } = this.#options;
    for (const ended of invalid) await this.#end({ ...ended, verdict: "error", value: null }, true);
    const beside = calls.filter((call) => !serial.has(call.tool)).map((call) => this.#execute(call));
    const inTurn = (async () => {
      const ended: EndedCall[] = [];
      for (const call of calls.filter((each) => serial.has(each.tool))) ended.push(await this.#execute(call));
      return ended;
    })();
    // All are waited for at once: one that fails alone, after an abort, must find somebody who hears of it.
    const ended = (await Promise.all([inTurn, ...beside])).flat();
    await port.report({ type: "step.ended" });
    if (port.role !== "lead") return ended.some((each) => each.tool === "complete" && isAccepted(each.value));
    return this.#completeLead(calls, ended);
  }

  /** A lead's complete ends its turn with the summary as its answer. */
  async #completeLead(calls: readonly ModelToolCall[], ended: readonly EndedCall[]): Promise<boolean> {
    const complete = ended.find((each) => each.tool === "complete" && isAccepted(each.value));
    const input = calls.find((call) => call.call === complete?.call)?.input;
    if (complete === undefined) return false;
    const text = typeof input === "object" && input !== null && "summary" in input ? String(input.summary) : "";
    await this.#options.port.report({ type: "turn.ended", finish: "complete" }, { text });
    return true;
  }

  async #execute(call: ModelToolCall): Promise<EndedCall> {
    const { port, tools, gate, signal, cap } = this.#options;
    const ended = await executeGated(call, {
      gate,
      tools,
      signal,
      cap,
      messages: () => messagesOf(this.#journal),
      pend: (each, pending) => port.outside.wait(each, pending),
      onStart: () => port.report({ type: "tool.started", call: call.call, tool: call.tool.slice(0, 200) }),
    });
    await this.#end(ended, false);
    return ended;
  }

  async #end(ended: EndedCall, isUnstarted: boolean): Promise<void> {
    const { port } = this.#options;
    this.#options.signal.throwIfAborted();
    if (isUnstarted) await port.report({ type: "tool.started", call: ended.call, tool: ended.tool.slice(0, 200) });
    const { verdict, value: _value, ...body } = ended;
    this.#journal.push({ type: "ended", call: body.call, tool: body.tool, output: body.output });
    await port.report({ type: "tool.ended", call: ended.call, verdict }, body);
  }
}

const isAccepted = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "accepted" in value && value.accepted === true;
