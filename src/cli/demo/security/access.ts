import type { SourceModule } from "../syntax/source-module.ts";

const ACCESS =
  /\b(authori[sz]ation|bearer|oauth|jsonwebtoken|jwt|access_?token|refresh_?token|login|password|api_?key)\b/i;

/** Whether a file is about signing in at all: a bare "token" is a word of parsers too. */
export const isAboutAccess = (module: SourceModule): boolean => ACCESS.test(module.file.text);
