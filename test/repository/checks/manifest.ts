/** The part of package.json that says what the package shows. */
interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

const CONDITIONS = ["@teamchart/source", "types", "default"];

/** Where the build puts what a source file becomes. */
const builtFrom = (source: string): { types: string; default: string } => {
  const stem = source.replace("./src/", "./dist/").replace(/\.tsx?$/, "");
  return { types: `${stem}.d.ts`, default: `${stem}.js` };
};

/**
 * Every export and command of a package.json that leads nowhere: no source file, a built file that no source becomes,
 * or conditions in another order than source, types, default.
 */
export function manifestFaults(manifest: string, exists: (path: string) => boolean): readonly string[] {
  const { bin, exports } = JSON.parse(manifest) as Manifest;
  const faults: string[] = [];
  for (const [name, target] of Object.entries(exports)) {
    if (typeof target === "string") {
      if (!exists(target)) faults.push(`exports "${name}": ${target} does not exist`);
      continue;
    }
    const source = target["@teamchart/source"] ?? "";
    const built = builtFrom(source);
    if (Object.keys(target).join() !== CONDITIONS.join())
      faults.push(`exports "${name}": not ${CONDITIONS.join(", ")}`);
    if (!exists(source)) faults.push(`exports "${name}": ${source} does not exist`);
    if (target.types !== built.types || target.default !== built.default) {
      faults.push(`exports "${name}": ${source} is built to ${built.default}`);
    }
  }
  for (const [name, target] of Object.entries(bin)) {
    const source = target.replace("./dist/", "./src/").replace(/\.js$/, ".ts");
    if (!exists(source)) faults.push(`bin "${name}": ${source} does not exist`);
  }
  return faults;
}
