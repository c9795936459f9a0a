import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The configuration that docs/nats.md recommends, with its passwords filled in: it is tested as it is printed there. */
export function permissionsConfig(): string {
  const text = readFileSync(join(import.meta.dirname, "../../docs/nats.md"), "utf8");
  const block = /```conf\n([\s\S]*?accounts[\s\S]*?)```/.exec(text)?.[1];
  if (block === undefined) throw new Error("docs/nats.md has no configuration with accounts");
  return block
    .replaceAll(/^(?:listen|http|jetstream|tls)\b[^\n]*\n(?:(?: {2}.*|\})\n)*/gm, "")
    .replaceAll("$NODE_PASSWORD", '"node-secret"')
    .replaceAll("$INSPECTOR_PASSWORD", '"inspector-secret"')
    .replaceAll("$ANN_PASSWORD", '"ann-secret"');
}
