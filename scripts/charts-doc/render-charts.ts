import {
  describeMachine,
  leadMachine,
  memberMachine,
  sessionMachine,
  teamMachine,
  toMermaid,
} from "../../src/machines/index.ts";

const machines = new Map(
  [sessionMachine, teamMachine, leadMachine, memberMachine].map((machine) => [machine.id, describeMachine(machine)]),
);

const place = /(<!-- chart (\w+) -->\n).*?(<!-- end of chart -->)/gs;

const chartOf = (name: string): string => {
  const machine = machines.get(name);
  if (machine === undefined)
    throw new Error(`there is no machine "${name}"; use one of ${[...machines.keys()].join(", ")}`);
  return `\n\`\`\`mermaid\n${toMermaid(machine)}\`\`\`\n\n`;
};

/** The document with each of its charts drawn anew, between `<!-- chart NAME -->` and `<!-- end of chart -->`. */
export function renderCharts(document: string): string {
  const drawn = new Set<string>();
  const text = document.replaceAll(place, (_whole, begin: string, name: string, end: string) => {
    drawn.add(name);
    return `${begin}${chartOf(name)}${end}`;
  });
  for (const name of machines.keys()) if (!drawn.has(name)) throw new Error(`the document has no chart of ${name}`);
  return text;
}
