import { useEffect, useRef, useState, type ReactNode } from "react";
import { ApiError } from "../feed/api.ts";

interface DialogProps {
  readonly title: string;
  /** What the button that does it says. */
  readonly action: string;
  readonly isDanger?: boolean;
  readonly isReady?: boolean;
  /** Does it; what it rejects with is shown, and the dialog stays. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks before something is done, and says what became of it. */
export function Dialog({ title, action, isDanger = false, isReady = true, onConfirm, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly problem: string | null }>({
    isBusy: false,
    problem: null,
  });
  useEffect(() => dialog.current?.showModal(), []);
  const confirm = (): void => {
    setState({ isBusy: true, problem: null });
    onConfirm().then(onClose, (fault: unknown) => setState({ isBusy: false, problem: problemOf(fault) }));
  };
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="dialog-title" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !state.isBusy) confirm();
        }}
      >
        <h2 id="dialog-title">{title}</h2>
        <div className="dialog-body">{children}</div>
        {state.problem !== null && (
          <p className="notice notice-error wrap" role="alert">
            {state.problem}
          </p>
        )}
        <div className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            Leave it
          </button>
          <button
            type="submit"
            className={isDanger ? "button danger" : "button primary"}
            disabled={!isReady || state.isBusy}
          >
            {state.isBusy ? "Sending…" : action}
          </button>
        </div>
      </form>
    </dialog>
  );
}

function problemOf(fault: unknown): string {
  if (fault instanceof ApiError) return `${fault.code}: ${fault.message}`;
  return fault instanceof Error ? fault.message : String(fault);
}
