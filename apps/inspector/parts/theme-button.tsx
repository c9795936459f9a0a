import type { Theme } from "../use-theme.ts";

const next: Readonly<Record<Theme, Theme>> = { auto: "light", light: "dark", dark: "auto" };
const text: Readonly<Record<Theme, string>> = {
  auto: "Theme: as the system",
  light: "Theme: light",
  dark: "Theme: dark",
};

/** Goes from the system's theme to light to dark. */
export function ThemeButton({ theme, setTheme }: { readonly theme: Theme; readonly setTheme: (theme: Theme) => void }) {
  return (
    <button
      type="button"
      className="button icon-button"
      aria-label={text[theme]}
      title={text[theme]}
      onClick={() => setTheme(next[theme])}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        {theme === "dark" ? (
          <path d="M12.8 10A5.6 5.6 0 0 1 6 3.2 5.6 5.6 0 1 0 12.8 10z" fill="currentColor" />
        ) : (
          <>
            <circle cx="8" cy="8" r={theme === "light" ? 3.2 : 5} fill="none" stroke="currentColor" strokeWidth="1.5" />
            {theme === "auto" ? (
              <path d="M8 3a5 5 0 0 1 0 10z" fill="currentColor" />
            ) : (
              <path
                d="M8 1v2M8 13v2M1 8h2M13 8h2M3 3l1.4 1.4M11.6 11.6 13 13M3 13l1.4-1.4M11.6 4.4 13 3"
                stroke="currentColor"
                strokeWidth="1.5"
              />
            )}
          </>
        )}
      </svg>
    </button>
  );
}
