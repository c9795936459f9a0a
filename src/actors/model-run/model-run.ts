import { isTeamError } from "../../errors/index.ts";
import type { Clock } from "../../protocol/clock.ts";
import { batchMail } from "../../tools/team/index.ts";
import { batchTexts } from "./batch-texts.ts";
import { closeOpenCalls } from "./close-open-calls.ts";
import { compact } from "./compaction.ts";
import { messagesOf, openCallsOf, textOf, type JournalEntry } from "./conversation.ts";
import type { ModelAnswer, ModelToolCall } from "./model-call.ts";
import { budgetReason, ModelCaller, reasonMax, UnreachableModelError } from "./model-caller.ts";
import { estimateTextTokens } from "../models/estimate-tokens.ts";
import { classifyModelError } from "../models/model-error.ts";
import type { HookReport } from "../hooks/hook-runner.ts";
import type { ModelRunOptions } from "./model-run-options.ts";
import { lastAnswerOf, sortCalls } from "./last-answer.ts";
import { oneAfterAnother } from "./one-after-another.ts";
import { landingText, SoftLanding } from "./soft-landing.ts";
import { executeGated } from "../permissions/execute-gated.ts";
import { estimateCallTokens } from "./call-budget.ts";
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
    const turn = new ModelTurn(options, journal);
    if (options.goesOn && (await turn.goOn())) return;
    await turn.run();
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
    this.#landing = new SoftLanding(journal, options);
    this.#caller = new ModelCaller(options);
    this.#hasTask = options.prompt === null || options.promptedAttempt === options.attempt;
  }

  /** Carries out the answer that a run before this one has journalled; true when the turn is over with that. */
  async goOn(): Promise<boolean> {
    const { port, tools } = this.#options;
    const { content, ended } = lastAnswerOf(this.#journal);
    if (content === null) return false;
    const made = content.flatMap((part) =>
      part.type === "tool-call" ? [{ call: part.toolCallId, tool: part.toolName, input: part.input }] : [],
    );
    if (made.length === 0) {
      await this.#endTurn({ content, finish: "stop" });
      return true;
    }
    const open = openCallsOf(this.#journal);
    if (open.length > 0) return this.#runCalls(await sortCalls(open, tools), { made, ended });
    return port.role === "lead" && this.#completeLead(made, ended);
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
    const landing = await this.#dueLanding(steps, texts);
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
  async #dueLanding(steps: number, texts: readonly string[]) {
    const { budget } = this.#options;
    if (!budget.isLimited) return this.#landing.due(steps, null);
    const added = texts.reduce((sum, text) => sum + estimateTextTokens(text), 0);
    const { price } = await this.#caller.ready();
    return this.#landing.due(steps, budget.nearlyUsed({ tokens: this.#estimate() + added, price }));
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
  async #endTurn(answer: Pick<ModelAnswer, "content" | "finish">): Promise<void> {
    const hook = await this.#askToIdle(false);
    if (hook === null) return;
    const body = { text: textOf(answer.content) };
    await this.#options.port.report({ type: "turn.ended", finish: answer.finish, ...hook }, body);
  }

  /** What a hook says to a turn that ends: a part of its report, or null when it has stopped the member. */
  async #askToIdle(delivered: boolean): Promise<{ readonly hook?: HookReport } | null> {
    const { port, signal } = this.#options;
    const verdict = (await port.hooks?.idle({ delivered, signal })) ?? null;
    if (verdict === null) return {};
    if ("block" in verdict) return { hook: { on: "idle", feedback: verdict.block } };
    await port.stop("onMemberIdle", verdict.stop);
    return null;
  }

  /** Executes an answer's calls side by side. True when the turn is over with them. */
  async #runCalls(
    { calls, invalid }: Pick<ModelAnswer, "calls" | "invalid">,
    earlier: { readonly made: readonly ModelToolCall[]; readonly ended: readonly EndedCall[] } = {
      made: calls,
      ended: [],
    },
  ): Promise<boolean> {
    const { port, serial } = this.#options;
    for (const ended of invalid) await this.#end({ ...ended, verdict: "error", value: null }, true);
    const beside = calls.filter((call) => !serial.has(call.tool)).map((call) => this.#execute(call));
    const inTurn = oneAfterAnother(
      calls.filter((each) => serial.has(each.tool)),
      (call, waits) => this.#execute(call, waits),
    );
    // All are waited for at once: one that fails alone, after an abort, must find somebody who hears of it.
    const ended = [...earlier.ended, ...(await Promise.all([inTurn, ...beside])).flat()];
    const isDelivered = ended.some((each) => each.tool === "complete" && isAccepted(each.value));
    const hook = isDelivered ? await this.#askToIdle(true) : {};
    if (hook === null) return true;
    await port.report({ type: "step.ended", ...hook });
    if (port.role !== "lead") return isDelivered;
    return this.#completeLead(earlier.made, ended);
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

  /** `onWait` is told when the call waits for somebody outside. */
  async #execute(call: ModelToolCall, onWait: () => void = () => {}): Promise<EndedCall> {
    const { port, tools, gate, signal, cap } = this.#options;
    const ended = await executeGated(call, {
      gate,
      tools,
      signal,
      cap,
      trace: port.trace,
      messages: () => messagesOf(this.#journal),
      pend: (each, pending) => {
        onWait();
        return port.outside.wait(each, pending);
      },
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
