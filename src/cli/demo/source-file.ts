import { basename, extname } from "node:path/posix";

/** What a file is written in, as far as its name and first line tell. */
export type Language =
  | "javascript"
  | "typescript"
  | "python"
  | "go"
  | "rust"
  | "java"
  | "ruby"
  | "php"
  | "c"
  | "cpp"
  | "csharp"
  | "shell"
  | "sql"
  | "yaml"
  | "json"
  | "toml"
  | "env"
  | "docker"
  | "html"
  | "markdown"
  | "other";

/** A file of the reviewed project, already read. `path` is relative to the project, with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly language: Language;
}

const LANGUAGE_EXTENSIONS: Record<Exclude<Language, "other">, readonly string[]> = {
  javascript: ["js", "mjs", "cjs", "jsx"],
  typescript: ["ts", "mts", "cts", "tsx"],
  python: ["py", "pyi", "pyw"],
  go: ["go"],
  rust: ["rs"],
  java: ["java", "kt", "kts", "scala", "groovy"],
  ruby: ["rb", "rake", "gemspec"],
  php: ["php", "phtml"],
  c: ["c", "h"],
  cpp: ["cpp", "cc", "cxx", "hpp", "hh", "hxx"],
  csharp: ["cs"],
  shell: ["sh", "bash", "zsh", "ksh"],
  sql: ["sql"],
  yaml: ["yml", "yaml"],
  json: ["json", "jsonc", "json5", "webmanifest"],
  toml: ["toml", "ini", "cfg", "conf", "properties"],
  env: ["env"],
  docker: ["dockerfile"],
  html: ["html", "htm", "vue", "svelte", "astro"],
  markdown: ["md", "mdx", "txt", "rst", "adoc"],
};

const BY_EXTENSION: ReadonlyMap<string, Language> = new Map(
  Object.entries(LANGUAGE_EXTENSIONS).flatMap(([language, extensions]) =>
    // Object.entries widens the keys to strings; they are the keys of the table above.
    extensions.map((extension): [string, Language] => [extension, language as Language]),
  ),
);

const INTERPRETERS: readonly (readonly [RegExp, Language])[] = [
  [/\b(node|bun|deno)\b/, "javascript"],
  [/\bpython[\d.]*\b/, "python"],
  [/\b(ba|z|k|da)?sh\b/, "shell"],
  [/\bruby\b/, "ruby"],
  [/\bphp\b/, "php"],
];

/** The language of a file, from its name, or from its `#!` line when it has no extension. */
export const languageOf = (path: string, text: string): Language => {
  const name = basename(path).toLowerCase();
  if (name === ".env" || name.startsWith(".env.")) return "env";
  if (name === "dockerfile" || name.startsWith("dockerfile.")) return "docker";
  const known = BY_EXTENSION.get(extname(name).slice(1));
  if (known !== undefined) return known;
  const firstLine = text.startsWith("#!") ? (text.split("\n", 1)[0] ?? "") : "";
  return INTERPRETERS.find(([pattern]) => pattern.test(firstLine))?.[1] ?? "other";
};

/** Whether the real parser reads this language. All others get the smaller, line-based analysis. */
export const isParsedLanguage = (language: Language): boolean => language === "javascript" || language === "typescript";
