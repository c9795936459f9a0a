import { useRef } from "react";

/** A button that lets people choose a recording. */
export function FileButton({
  onFile,
  primary = false,
}: {
  readonly onFile: (file: File) => void;
  readonly primary?: boolean;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className={primary ? "button primary" : "button"} onClick={() => input.current?.click()}>
        Open a recording…
      </button>
      <input
        ref={input}
        className="visually-hidden"
        type="file"
        accept=".ndjson,.jsonl,.json,application/x-ndjson"
        aria-label="Recording"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file !== undefined) onFile(file);
        }}
      />
    </>
  );
}
