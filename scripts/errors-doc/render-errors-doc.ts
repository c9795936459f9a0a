import { errorCatalogue, httpStatus, toolRefusalText, type ErrorCode, type Refusal } from "../../src/errors/index.ts";
import { notBuilt } from "./not-built.ts";
import { samples } from "./samples.ts";

const HEAD = `# Errors

Every error of Teamchart is a \`TeamError\` with a stable \`code\`, the facts as \`data\`, and a \`message\` that says what was
wrong and what to do. Programs read \`code\` and \`data\`; texts may be improved. The command line prints the message, or with
\`--json\` one line \`{"type":"error","code","message","data"}\`. A model reads \`CODE: what. Do: next step.\` as the result of the
tool it called. A refused command changes nothing and leaves nothing behind.

This file is made from the catalogue by \`npm run docs:errors\`.
`;

const TITLES: Readonly<Record<number, string>> = {
  400: "The request is wrong in itself",
  401: "Nobody is known to ask",
  403: "The caller may not do this",
  404: "There is no such thing",
  409: "It does not fit the present state",
  413: "It is too large",
  429: "A limit is reached",
  500: "Something is broken",
  503: "Something is missing",
};

const titleOf = (status: number): string => {
  const title = TITLES[status];
  if (title === undefined) throw new Error(`give the HTTP status ${status} a title`);
  return title;
};

const section = (code: ErrorCode): string => {
  const { when, data } = samples[code];
  // A sample is typed by its code; the union over all codes loses the pair.
  const refusal = { code, data } as Refusal;
  const names = Object.keys(data).map((name) => `\`${name}\``);
  const fields = names.length === 0 ? "Data: none." : `Data: ${names.join(", ")}.`;
  const feature = notBuilt[code];
  const mark = feature === undefined ? "" : `Not built yet: ${feature}. `;
  return `### \`${code}\`\n\n${mark}${when} ${fields}\n\n\`\`\`text\n${toolRefusalText(refusal)}\n\`\`\`\n`;
};

/** The whole text of docs/errors.md. */
export function renderErrorsDoc(): string {
  // The keys of the catalogue are the codes, by its type.
  const codes = Object.keys(errorCatalogue) as ErrorCode[];
  const statuses = [...new Set(codes.map(httpStatus))];
  const chapters = statuses.map((status) => {
    const sections = codes.filter((code) => httpStatus(code) === status).map(section);
    return `## ${titleOf(status)} (HTTP ${status})\n\n${sections.join("\n")}`;
  });
  return [HEAD, ...chapters].join("\n");
}
