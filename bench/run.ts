// npm run bench -- [--reps N] [--only W1,W2] [--json]: the runtime's own cost beside bare promises, in one run.
import { spawn } from "node:child_process";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import type { Sample } from "./measure.ts";
import { factsOf, ratioOf, reportText, type Row } from "./report.ts";
import { workloads } from "./workloads.ts";

const { values } = parseArgs({
  options: {
    reps: { type: "string", default: "5" },
    only: { type: "string", default: "" },
    json: { type: "boolean", default: false },
  },
});

/** Who is measured in which workload. The control always is: a figure without the one of the same run says nothing. */
const subjectsOf = (workload: string): readonly string[] => {
  const subjects = ["control", "teamchart"];
  if (["W2", "W3", "W4"].includes(workload)) subjects.push("kernel");
  if (workload === "W4") subjects.push("teamchart, recorded");
  if (workload === "W6") subjects.push("teamchart, live actors");
  return subjects;
};

/** One measurement in a process of its own. */
async function sample(subject: string, workload: string): Promise<Sample> {
  const script = new URL("measure.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, ["--expose-gc", script, subject, workload], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject).on("close", resolve);
  });
  if (code !== 0) throw new Error(`${subject} ${workload} ended with exit code ${code}`);
  // The script writes a Sample and nothing else.
  return JSON.parse(text) as Sample;
}

/** The checker says its own figures. */
async function showChecker(): Promise<void> {
  const script = new URL("check.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [script], { stdio: ["ignore", "inherit", "inherit"] });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject).on("close", resolve);
  });
  if (code !== 0) throw new Error(`the checker's bench ended with exit code ${code}`);
}

const names = values.only === "" ? [...Object.keys(workloads), "check"] : values.only.split(",");
const wanted = names.filter((name) => name !== "check");
const loadBefore = loadavg()[0] ?? Number.NaN;
const rows: Row[] = [];
for (const workload of wanted) {
  const subjects = subjectsOf(workload);
  const samples = new Map<string, Sample[]>(subjects.map((subject) => [subject, []]));
  for (let rep = 0; rep < Number(values.reps); rep++) {
    // Interleaved, so that a busy minute of the machine falls on all of them.
    for (const subject of subjects) samples.get(subject)?.push(await sample(subject, workload));
  }
  for (const [subject, taken] of samples) {
    const row = factsOf(workload, subject, taken);
    rows.push(row);
    if (values.json) process.stdout.write(`${JSON.stringify({ ...row, ...ratioOf(row, rows) })}\n`);
    else process.stderr.write(`measured ${workload} ${subject}\n`);
  }
}
if (!values.json && wanted.length > 0) process.stdout.write(reportText(rows, { loadBefore }));
if (!values.json && names.includes("check")) await showChecker();
