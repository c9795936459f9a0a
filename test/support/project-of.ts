import { openProject, type Project, type SourceParser } from "../../src/cli/demo/project.ts";
import { languageOf, type SourceFile } from "../../src/cli/demo/source-file.ts";
import { parseSource } from "../../src/cli/demo/syntax/parse-source.ts";
import { openModule, type SourceModule } from "../../src/cli/demo/syntax/source-module.ts";

/** A file of a reviewed project, with the language that its name says. */
export const fileOf = (path: string, text: string): SourceFile => ({ path, text, language: languageOf(path, text) });

/** Parses in this process. */
export const parseHere: SourceParser = async (sources, use) => sources.map((file, i) => use(parseSource(file), i));

/** A project of these files, parsed in this process. */
export const projectOf = (files: Readonly<Record<string, string>>): Promise<Project> =>
  openProject(
    Object.entries(files).map(([path, text]) => fileOf(path, text)),
    { parse: parseHere },
  );

/** One parsed module of a project's sources. */
export const moduleOf = (text: string, path = "src/a.ts"): SourceModule => {
  const file = fileOf(path, text);
  const { program, failure } = parseSource(file);
  const module = program === null ? null : openModule(file, "source", program);
  if (module === null) throw new Error(`${path}: ${failure?.message ?? "too deep"}`);
  return module;
};
