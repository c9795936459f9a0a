import { useState, type DragEvent, type ReactNode } from "react";

/** Takes a file that is dropped anywhere on the page. */
export function DropZone({
  onFile,
  children,
}: {
  readonly onFile: (file: File) => void;
  readonly children: ReactNode;
}) {
  const [isOver, setIsOver] = useState(false);
  const hasFile = (event: DragEvent): boolean => event.dataTransfer.types.includes("Files");
  return (
    <div
      className="drop-zone"
      onDragOver={(event) => {
        if (!hasFile(event)) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={(event) => {
        if (event.currentTarget === event.target) setIsOver(false);
      }}
      onDrop={(event) => {
        const [file] = event.dataTransfer.files;
        setIsOver(false);
        if (file === undefined) return;
        event.preventDefault();
        onFile(file);
      }}
    >
      {children}
      {isOver && <div className="drop-hint">Drop a recording to open it</div>}
    </div>
  );
}
