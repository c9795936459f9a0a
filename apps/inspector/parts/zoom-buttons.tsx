/** Buttons for a drawing that can be moved. */
export function ZoomButtons({
  zoomIn,
  zoomOut,
  fit,
}: {
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  readonly fit: () => void;
}) {
  return (
    <div className="zoom-buttons" role="group" aria-label="Zoom">
      <button type="button" className="button icon-button" aria-label="Zoom in" title="Zoom in" onClick={zoomIn}>
        +
      </button>
      <button type="button" className="button icon-button" aria-label="Zoom out" title="Zoom out" onClick={zoomOut}>
        −
      </button>
      <button type="button" className="button" onClick={fit}>
        Fit
      </button>
    </div>
  );
}
