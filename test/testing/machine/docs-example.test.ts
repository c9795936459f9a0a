import { assign, fromPromise, setup } from "xstate";
import { expect, test } from "vitest";
import { checkMachine, checkMatchers } from "../../../src/testing/index.ts";
import { typesOf } from "./types-of.ts";

expect.extend(checkMatchers);

const form = setup({
  types: typesOf<{ context: { saved: number }; events: { type: "EDIT" } | { type: "SAVE" } | { type: "RESET" } }>(),
  actors: { save: fromPromise<{ version: number }>(() => fetch("/save").then(() => ({ version: 1 }))) },
}).createMachine({
  id: "form",
  context: { saved: 0 },
  initial: "clean",
  states: {
    clean: { on: { EDIT: "dirty" } },
    dirty: { on: { SAVE: "saving", RESET: "clean" } },
    saving: {
      invoke: {
        src: "save",
        onDone: { target: "clean", actions: assign({ saved: ({ event }) => event.output.version }) },
      },
      after: { 5_000: "dirty", 10_000: "gaveUp" },
    },
    gaveUp: { on: { RESET: "clean" } },
  },
});

test("the form of the guide has the findings that the guide shows", () => {
  const check = checkMachine(form, { invokes: { save: { done: [{ version: 1 }] } } });
  expect(
    check
      .toString()
      .replace(/\d\.\d s/, "0.0 s")
      .split("\n"),
  ).toEqual([
    'violated: machine "form": 6 states, 24 transitions, depth 5, 0.0 s, 5 of 7 transitions taken',
    "unreachable states:",
    "  form.gaveUp",
    "dead transitions:",
    "  form.saving|xstate.after.10000.form.saving|0 -> form.gaveUp: no such event comes while its state is active",
    "  form.gaveUp|RESET|0 -> form.clean: its state is never active",
    "errors:",
    '  save fails in form.saving: no onError takes "save failed", so the machine stops: 1. EDIT  2. SAVE  3. save fails',
    "events that nothing takes, by state:",
    "  form.clean   RESET, SAVE",
    "  form.dirty   EDIT",
    "  form.saving  EDIT, RESET, SAVE",
  ]);
});
