// Writes docs/errors.md from the error catalogue.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderErrorsDoc } from "./errors-doc/render-errors-doc.ts";

writeFileSync(join(import.meta.dirname, "../docs/errors.md"), renderErrorsDoc());
