import { traceCase } from "../fold/trace-case.ts";
import { useSession } from "../session-context.ts";
import type { SessionSource } from "../session-source.ts";
import { useFlash } from "../use-flash.ts";

/** Takes the session along: its recording as a file, or the trace to here as a test. */
export function ExportMenu({ source }: { readonly source: SessionSource }) {
  const { model } = useSession();
  const [told, tell] = useFlash();
  const save = async (): Promise<void> => {
    const text = source.kind === "file" ? source.text : await source.api.recording(source.session);
    download(`${model.name}.ndjson`, text);
    tell("The recording is saved.");
  };
  const copy = async (): Promise<void> => {
    const made = traceCase(model.timeline, model.name);
    if ("problem" in made) {
      tell(made.problem);
      return;
    }
    await navigator.clipboard.writeText(made.text);
    tell("A vitest case of the trace up to here is in the clipboard.");
  };
  const fail = (fault: unknown): void => tell(`That failed: ${fault instanceof Error ? fault.message : String(fault)}`);
  return (
    <>
      <button
        type="button"
        className="button"
        title="Save the whole recording as a file"
        onClick={() => {
          save().catch(fail);
        }}
      >
        Export
      </button>
      <button
        type="button"
        className="button"
        title="Copy the trace up to here as a vitest case"
        onClick={() => {
          copy().catch(fail);
        }}
      >
        Copy as test
      </button>
      <span className={told === null ? "toast" : "toast shown"} role="status">
        {told}
      </span>
    </>
  );
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name.replaceAll(/[^\w.-]+/g, "_");
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
