/** One value of a metric, with what it is about. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');

const labelText = (labels: Readonly<Record<string, string>>): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
};

/** What a metric is, for whoever reads it. */
export const headLines = (name: string, type: "counter" | "gauge" | "histogram", help: string): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

/** A metric in the text format of Prometheus. */
export const metricLines = (
  name: string,
  type: "counter" | "gauge",
  help: string,
  samples: readonly Sample[],
): readonly string[] => [
  ...headLines(name, type, help),
  ...samples.map(({ labels = {}, value }) => `${name}${labelText(labels)} ${value}`),
];
