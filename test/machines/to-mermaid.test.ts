import { expect, test } from "vitest";
import { createMachine } from "xstate";
import { describeMachine } from "../../src/machines/describe-machine.ts";
import { describeAll } from "../../src/machines/machine-hash.ts";
import { toMermaid } from "../../src/machines/to-mermaid.ts";

const draw = (config: object) => toMermaid(describeMachine(createMachine(config as never)));
const all = Object.entries(describeAll());

test("the session's machine is drawn", () => {
  expect(toMermaid(describeAll().session)).toBe(
    [
      "stateDiagram-v2",
      "  [*] --> unopened",
      "  unopened",
      "  state opened {",
      "    [*] --> unowned",
      '    state "in any state of opened" as opened_any',
      "    unowned",
      "    owned",
      "  }",
      "  closed",
      "  unopened --> opened : session.opened",
      "  opened_any --> closed : session.closed / closeEverything",
      "  unowned --> owned : owner.claimed / announceOwner",
      "  owned --> owned : owner.claimed / announceOwner",
      "  owned --> unowned : owner.released",
      "",
    ].join("\n"),
  );
});

test.each(all)("every state and every transition of the %s is in its chart", (_name, machine) => {
  const lines = toMermaid(machine).split("\n");
  const drawn = lines.filter((line) => line.includes("-->") && !line.includes("[*]"));
  const written = lines.filter((line) => line.includes(" : ") && !line.includes("-->"));
  const targets = machine.transitions.reduce((sum, each) => sum + Math.max(1, each.targets.length), 0);
  const prose = machine.states.reduce(
    (sum, { description, entry, exit }) =>
      sum + Number(description !== null) + Number(entry.length > 0) + Number(exit.length > 0),
    0,
  );
  expect(drawn.length + written.length).toBe(targets + prose);
  for (const { path } of machine.states) expect(lines.join("\n")).toContain(path.at(-1) ?? machine.id);
});

test.each(all)("no arrow of the %s's chart joins a state with one around it", (_name, machine) => {
  const stack: string[] = [];
  const around = new Map<string, readonly string[]>();
  const lines = toMermaid(machine)
    .split("\n")
    .map((line) => line.trim());
  for (const line of lines) {
    const [, name] = /(?:state|as) (\w+) \{$/.exec(line) ?? [];
    if (line === "}") stack.pop();
    else if (name !== undefined) {
      around.set(name, [...stack]);
      stack.push(name);
    } else {
      const [, state] = /^(?:state .* as )?(\w+)$/.exec(line) ?? [];
      if (state !== undefined) around.set(state, [...stack]);
    }
  }
  const arrows = lines.flatMap((line) => [...line.matchAll(/^(\w+) --> (\w+) :/g)]);
  expect(arrows.length).toBeGreaterThan(0);
  for (const [, source = "", target = ""] of arrows) {
    expect(around.has(source) && around.has(target)).toBe(true);
    expect(around.get(source)).not.toContain(target);
    expect(around.get(target)).not.toContain(source);
  }
});

test("states of one name in two places get names of their own", () => {
  const chart = toMermaid(describeAll().lead);
  expect(chart).toContain('state "none" as team_none');
  expect(chart).toContain('state "none" as permissions_none');
  expect(chart).toContain("[*] --> team_none");
});

test("a word of Mermaid's own does not name a state", () => {
  expect(draw({ initial: "end", states: { end: { on: { go: "note" } }, note: {} } })).toContain(
    "s_end --> s_note : go",
  );
});

test("what has a meaning in Mermaid is written as a character reference", () => {
  const chart = draw({ initial: "a", states: { a: { description: 'x: "y"; %% <b>\n--> z', on: { "e:;": "a" } } } });
  expect(chart).toContain("a : x#58; #34;y#34;#59; #37;#37; #60;b#62; --#62; z\n");
  expect(chart).toContain("a --> a : e#58;#59;");
});

test("delays, final states and history are drawn in words", () => {
  const chart = draw({
    initial: "a",
    states: {
      a: { initial: "b", after: { 100: "z" }, onDone: "z", states: { b: {}, h: { type: "history" } } },
      z: { type: "final" },
    },
  });
  expect(chart).toContain("a_any --> z : after 100 ms");
  expect(chart).toContain("a_any --> z : done (machine).a");
  expect(chart).toContain('state "h (shallow history)" as h');
  expect(chart).toContain("z --> [*]");
});

test("the same description is drawn the same after a trip through JSON", () => {
  const { member } = describeAll();
  expect(toMermaid(JSON.parse(JSON.stringify(member)))).toBe(toMermaid(member));
});
