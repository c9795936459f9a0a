import type { FileState } from "../feed/file-state.ts";
import type { ApiError } from "../feed/api.ts";
import { Empty } from "../parts/empty.tsx";
import { FileButton } from "../parts/file-button.tsx";

/** What is shown before there is a session: no service, or one that refuses. */
export function StartView(props: {
  readonly service: { readonly state: string; readonly problem?: ApiError | null };
  readonly onFile: (file: File) => void;
  readonly file: FileState;
}) {
  const { service, onFile, file } = props;
  const problem = service.problem ?? null;
  return (
    <main className="start">
      <div className="start-box">
        <h1>Teamchart</h1>
        {service.state === "asking" ? (
          <Empty kind="loading" title="Asking the service…" />
        ) : problem?.code === "unauthorized" ? (
          <Empty kind="error" title="This page has no valid token">
            Open the address that the command printed: its last part, behind <code>#token=</code>, is the token. A token
            is valid as long as the command that printed it runs.
          </Empty>
        ) : (
          <Empty title="No service answers here">
            {problem !== null && problem.code !== "unreachable" ? `${problem.message} ` : ""}A recording can be opened
            without one: drop its file anywhere on this page. It stays in this browser.
          </Empty>
        )}
        {service.state !== "asking" && <FileButton onFile={onFile} primary />}
        <FileProgress file={file} />
      </div>
    </main>
  );
}

/** How the opening of a file goes. */
export function FileProgress({ file }: { readonly file: FileState }) {
  if (file === null) return null;
  if ("problem" in file)
    return (
      <p className="notice notice-error" role="alert">
        {file.problem}
      </p>
    );
  return (
    <p className="notice" role="status">
      Folding the recording… <progress value={file.share} max={1} aria-label="How much of the recording is folded" />
    </p>
  );
}
