/** What is told of a stream's life. */
interface StreamWatch<Part> {
  readonly onPart: (part: Part) => void;
  /** Called once, when the stream is over: it ended, it failed, or its reader gave it up. */
  readonly onOver: () => void;
  /** Called before `onOver` when the stream failed. */
  readonly onError: (error: unknown) => void;
}

/** The same stream, read part by part as it is asked for, that tells when it is over. */
export const heldStream = <Part>(source: ReadableStream<Part>, watch: StreamWatch<Part>): ReadableStream<Part> => {
  const reader = source.getReader();
  return new ReadableStream<Part>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (done) {
            watch.onOver();
            controller.close();
            return;
          }
          watch.onPart(value);
          controller.enqueue(value);
        } catch (error) {
          watch.onError(error);
          watch.onOver();
          controller.error(error);
        }
      },
      cancel: async (reason) => {
        try {
          await reader.cancel(reason);
        } finally {
          watch.onOver();
        }
      },
    },
    { highWaterMark: 0 },
  );
};
