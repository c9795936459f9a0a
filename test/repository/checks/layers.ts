import { posix } from "node:path";
import { importsOf } from "./imports.ts";
import { isSource, type SourceFile } from "./source-file.ts";

/** Which layer of src may import which (a folder of src is a layer, and so is src/index.ts). Itself it always may. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  protocol: ["errors"],
  machines: ["errors", "protocol"],
  bus: ["errors", "protocol"],
  tools: ["errors", "protocol"],
  actors: ["errors", "protocol", "machines", "bus", "tools"],
  service: ["errors", "protocol", "machines", "bus", "tools", "actors"],
  testing: ["errors", "protocol", "machines", "bus", "tools", "actors"],
  react: ["protocol", "machines"],
  index: ["errors", "protocol", "machines", "bus", "tools", "actors"],
  cli: ["errors", "protocol", "machines", "bus", "tools", "actors", "service", "testing", "index"],
};

/** The packages of layers that must stay light, pure and able to run in a browser. The other layers choose freely. */
const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  protocol: ["zod"],
  machines: ["xstate"],
  react: ["react"],
};

const layerOf = (path: string): string | null => {
  const [src, first, ...rest] = path.split("/");
  if (src !== "src" || first === undefined) return null;
  return rest.length > 0 ? first : first.replace(/\.tsx?$/, "");
};

/** What is wrong with `specifier` in a file of `layer`, or null. */
function faultOf(layer: string, path: string, specifier: string | null): string | null {
  if (specifier === null) return layer === "cli" ? null : "a computed import hides its layer";
  if (/^teamchart(\/|$)/.test(specifier)) return "src imports itself by relative paths only";
  if (!specifier.startsWith(".")) {
    const allowed = MAY_USE[layer];
    return allowed === undefined || allowed.includes(specifier) ? null : `${layer} may not use ${specifier}`;
  }
  const target = layerOf(posix.join(posix.dirname(path), specifier));
  if (target === null) return `${specifier} leaves src`;
  return target === layer || MAY_IMPORT[layer]?.includes(target) ? null : `${layer} may not import ${target}`;
}

/** Every import of src that does not point downwards, as `path:line: fault`. */
export const layerFaults = (files: readonly SourceFile[]): readonly string[] =>
  files.filter(isSource).flatMap((file) => {
    const layer = layerOf(file.path);
    if (layer === null || !Object.hasOwn(MAY_IMPORT, layer)) return [`${file.path}: stands in no known layer`];
    return importsOf(file).flatMap(({ specifier, place }) => {
      const fault = faultOf(layer, file.path, specifier);
      return fault === null ? [] : [`${place}: ${fault}`];
    });
  });

/** Examples and the bench's adapter show the package from outside: every import of theirs that reaches into it. */
export const insideFaults = (files: readonly SourceFile[]): readonly string[] =>
  files
    .filter(({ path }) => /^(examples\/.*|bench\/adapter)\.tsx?$/.test(path))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ specifier }) => specifier !== null && /^\.\.?\/(.*\/)?(src|dist)\//.test(specifier))
        .map(({ specifier, place }) => `${place}: ${specifier} is the inside of the package`),
    );

/** What the inspector's page is built with, beside the two entries of the package that run in a browser. */
const PAGE_USES: ReadonlySet<string> = new Set([
  "teamchart/machines",
  "teamchart/protocol",
  "react",
  "react-dom/client",
  "@xstate/react",
  "xstate",
  "zod",
  "@tanstack/react-virtual",
  "elkjs/lib/elk-api.js",
  "elkjs/lib/elk-worker.min.js?url",
]);

/** The page uses the package as its users do, by what runs in a browser: every import of its that reaches further. */
export const pageFaults = (files: readonly SourceFile[]): readonly string[] =>
  files
    .filter(({ path }) => /^apps\/.*\.tsx?$/.test(path))
    .flatMap((file) =>
      importsOf(file).flatMap(({ specifier, place }) => {
        if (specifier === null) return [`${place}: a computed import hides what it reaches`];
        const isOwn = specifier.startsWith(".");
        const target = isOwn ? posix.join(posix.dirname(file.path), specifier) : specifier;
        const isFine = isOwn ? target.startsWith("apps/inspector/") : PAGE_USES.has(specifier);
        return isFine ? [] : [`${place}: the page may not use ${specifier}`];
      }),
    );
