import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";

/** A file of the page, as it is sent. */
interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly etag: string;
}

/** The files of the inspector page. */
export interface PageFiles {
  /** The answer for a path of the page, or null when it has no such file. */
  answer(path: string, request: Request): Promise<Response | null>;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
};

const notBuilt = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Teamchart</title></head>
<p>The inspector page was not built. Run <code>npm run build</code>, or name its folder by <code>page</code>.
The API works without it: see <code>api/info</code> and <code>openapi.json</code>.</p>
</html>
`;

/**
 * The page out of a folder, which is read once, whole, at the first request: what is sent is looked up in that list, so no
 * path of a request ever touches the disk. `basePath` becomes the page's base address, so that it works wherever it is
 * mounted, with or without a slash at the end.
 */
export function pageFiles(folder: string | null, basePath: string): PageFiles {
  let files: Promise<ReadonlyMap<string, PageFile>> | null = null;
  const base = `<base href="${escaped(basePath)}/">`;
  return {
    async answer(path, request) {
      files ??= readPage(folder, base);
      const found = (await files).get(path);
      if (found === undefined) return null;
      // Names of assets change with what is in them; the page itself is asked for anew.
      const cache = path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
      const headers = { "content-type": found.type, etag: found.etag, "cache-control": cache };
      if (request.headers.get("if-none-match") === found.etag) return new Response(null, { status: 304, headers });
      return new Response(found.bytes, { headers });
    },
  };
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

async function readPage(folder: string | null, base: string): Promise<ReadonlyMap<string, PageFile>> {
  const files = new Map<string, PageFile>();
  for (const path of folder === null ? [] : await listFiles(folder)) {
    const name = `/${relative(folder ?? "", path)
      .split(sep)
      .join("/")}`;
    const bytes = await readFile(path);
    files.set(
      name,
      name.endsWith(".html") ? fileOf(name, withBase(bytes.toString("utf8"), base)) : fileOf(name, bytes),
    );
  }
  const index = files.get("/index.html") ?? fileOf("/index.html", withBase(notBuilt, base));
  files.set("/", index);
  files.set("/index.html", index);
  return files;
}

async function listFiles(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch {
    // It was not built; the sentence that says so is the page then.
    return [];
  }
}

const withBase = (html: string, base: string): string => html.replace(/<head[^>]*>/i, (head) => `${head}\n    ${base}`);

function fileOf(name: string, content: string | Uint8Array): PageFile {
  const bytes = Uint8Array.from(typeof content === "string" ? new TextEncoder().encode(content) : content);
  const etag = `"${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}"`;
  return { bytes, type: types[extname(name)] ?? "application/octet-stream", etag };
}
