import { useState } from "react";

/** Shows a sentence for a moment, for whoever sees it and whoever hears it. */
export function useFlash(): [string | null, (text: string) => void] {
  const [text, setText] = useState<string | null>(null);
  return [
    text,
    (next) => {
      setText(next);
      setTimeout(() => setText(null), 2_500);
    },
  ];
}
