import { useEffect, useState } from "react";

/** `auto` follows the system. */
export type Theme = "auto" | "light" | "dark";

const key = "teamchart.theme";
const isTheme = (value: unknown): value is Theme => value === "auto" || value === "light" || value === "dark";

function stored(): Theme {
  try {
    const value = localStorage.getItem(key);
    return isTheme(value) ? value : "auto";
  } catch {
    // Storage may be forbidden; then the system decides.
    return "auto";
  }
}

/** The theme of the page, remembered by the browser. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(stored);
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
    try {
      localStorage.setItem(key, theme);
    } catch {
      // As above: it holds as long as the page is open.
    }
  }, [theme]);
  return [theme, setTheme];
}
