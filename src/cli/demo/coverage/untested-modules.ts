import { evidenceOf } from "../evidence.ts";
import type { Finding } from "../finding.ts";
import type { Project } from "../project.ts";
import type { ModuleExport } from "../syntax/module-exports.ts";
import type { SourceModule } from "../syntax/source-module.ts";
import type { TestReach } from "./test-reach.ts";

/** A module that does something, and how far tests get to it. */
export interface ModuleCoverage {
  readonly module: SourceModule;
  readonly own: readonly ModuleExport[];
  readonly reach: "direct" | "indirect" | "none";
  /** For `indirect`: a module that leads to it. */
  readonly via: string | null;
}

/** Whether tests are to be expected: code that users run, not settings, stories or one-off scripts. */
const isExpected = ({ role, file }: SourceModule): boolean =>
  (role === "source" || (role === "script" && /(^|\/)(src|lib|source)\/(.*\/)?(cli|bin|tools?)\//.test(file.path))) &&
  !/\.(stories|config|d)\.[cm]?[jt]sx?$/.test(file.path);

/** All modules that export something that can be called or made, with how far tests get to them. */
export const moduleCoverage = (project: Project, reach: TestReach): ModuleCoverage[] =>
  project.modules.filter(isExpected).flatMap((module): ModuleCoverage[] => {
    const own = project
      .exportsOf(module)
      .filter(({ source, kind }) => source === null && kind !== "data" && kind !== "type");
    if (!own.some(({ kind }) => kind === "behaviour" || kind === "unknown")) return [];
    const { path } = module.file;
    if (reach.direct.has(path)) return [{ module, own, reach: "direct", via: null }];
    const via = reach.indirect.get(path) ?? null;
    return [{ module, own, reach: via === null ? "none" : "indirect", via }];
  });

const NAMES_MAX = 6;

const listed = (exports: readonly ModuleExport[]): string => {
  const names = exports.map(({ name }) => name);
  return names.length > NAMES_MAX
    ? `${names.slice(0, NAMES_MAX).join(", ")} and ${names.length - NAMES_MAX} more`
    : names.join(", ");
};

const lineOf = (module: SourceModule, exported: ModuleExport | undefined): number =>
  module.lineAt(exported?.node.start ?? 0);

const findingAt = (
  module: SourceModule,
  line: number,
  rest: Pick<Finding, "rule" | "severity" | "message">,
): Finding => ({
  ...rest,
  path: module.file.path,
  line,
  evidence: evidenceOf(module.lineText(line), []),
});

/** The finding for a module that no test imports. */
export const untestedModule = ({ module, own, reach, via }: ModuleCoverage): Finding => {
  const isBehaviour = own.some(({ kind }) => kind === "behaviour");
  const names = listed(own);
  const message =
    reach === "none"
      ? `No test leads to this module. Exports: ${names}.`
      : `No test imports this module; tests reach it only by way of ${via}. Exports: ${names}.`;
  const severity = reach === "none" && isBehaviour ? "medium" : "low";
  return findingAt(module, lineOf(module, own[0]), { rule: "untested-module", severity, message });
};

/** The finding for functions of a tested module that no test ever names; null when there is none. */
export const unnamedExports = ({ module, own }: ModuleCoverage, names: ReadonlySet<string>): Finding | null => {
  const unnamed = own.filter(({ name, kind }) => kind === "behaviour" && name !== "default" && !names.has(name));
  if (unnamed.length === 0 || unnamed.length === own.length) return null;
  const message = `Tests import this module, but none names ${listed(unnamed)}.`;
  return findingAt(module, lineOf(module, unnamed[0]), { rule: "untested-export", severity: "low", message });
};
