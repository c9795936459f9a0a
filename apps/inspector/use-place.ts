import { useCallback, useEffect, useRef, useState } from "react";
import { hashOf, placeOf, type Place } from "./feed/address.ts";

/** Goes to a place; what is left out stays as it is. */
export type Go = (change: Partial<Place>, options?: { readonly replace?: boolean }) => void;

/** A browser refuses when an address is changed too often. */
const addressMs = 250;

/** Where the page is, kept in the fragment of its address: links, back and forward lead to it. */
export function usePlace(start: Place): { readonly place: Place; readonly go: Go } {
  const [place, setPlace] = useState(start);
  const current = useRef(place);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    const read = (): void => {
      current.current = placeOf(location.hash);
      setPlace(current.current);
    };
    addEventListener("hashchange", read);
    addEventListener("popstate", read);
    return () => {
      removeEventListener("hashchange", read);
      removeEventListener("popstate", read);
    };
  }, []);
  const go = useCallback<Go>((change, { replace = false } = {}) => {
    const next = { ...current.current, ...change };
    if (hashOf(next) === hashOf(current.current)) return;
    current.current = next;
    setPlace(next);
    clearTimeout(timer.current);
    const address = `${location.pathname}${location.search}${hashOf(next)}`;
    if (replace) timer.current = setTimeout(() => history.replaceState(null, "", address), addressMs);
    else history.pushState(null, "", address);
  }, []);
  return { place, go };
}
