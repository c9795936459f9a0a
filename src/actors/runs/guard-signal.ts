import { callGuarded } from "../../protocol/call-guarded.ts";

type Listener = Parameters<AbortSignal["addEventListener"]>[1];

/**
 * Makes the listeners of a signal harmless to the host: what one of them throws, or rejects with, goes to `onFault`. Left alone, the
 * platform throws it again where nobody can catch it, and the process ends.
 *
 * It holds for this very signal, `onabort` included, and not for signals that somebody derives from it.
 */
export function guardSignal(signal: AbortSignal, onFault: (fault: unknown) => void): AbortSignal {
  const guarded = new WeakMap<object, (event: Event) => void>();
  const [addTo, removeFrom] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  const guard = (listener: NonNullable<Listener>): ((event: Event) => void) => {
    let call = guarded.get(listener);
    if (call === undefined) {
      call = callGuarded(
        (event: Event): unknown =>
          typeof listener === "function" ? Reflect.apply(listener, signal, [event]) : listener.handleEvent(event),
        onFault,
      );
      guarded.set(listener, call);
    }
    return call;
  };
  const add: AbortSignal["addEventListener"] = (type: string, listener: Listener, options?: AddListenerOptions) =>
    addTo(type, listener && guard(listener), options);
  const remove: AbortSignal["removeEventListener"] = (type: string, listener: Listener, options?: AddListenerOptions) =>
    removeFrom(type, listener && (guarded.get(listener) ?? listener), options);
  return Object.assign(signal, { addEventListener: add, removeEventListener: remove });
}

type AddListenerOptions = Parameters<AbortSignal["addEventListener"]>[2];
