// Draws the charts of docs/protocol.md from the machines.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderCharts } from "./charts-doc/render-charts.ts";

const path = join(import.meta.dirname, "../docs/protocol.md");
writeFileSync(path, renderCharts(readFileSync(path, "utf8")));
