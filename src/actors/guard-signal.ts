type Listener = Parameters<AbortSignal["addEventListener"]>[1];

/**
 * Makes the listeners of a signal harmless to the host: what one of them throws goes to `onFault`. Left alone, the
 * platform throws it again where nobody can catch it, and the process ends.
 *
 * It holds for this very signal, `onabort` included, and not for signals that somebody derives from it.
 */
export function guardSignal(signal: AbortSignal, onFault: (fault: unknown) => void): AbortSignal {
  const guarded = new WeakMap<object, (event: Event) => void>();
  // oxlint-disable-next-line typescript/unbound-method -- they are applied to the signal below
  const { addEventListener, removeEventListener } = signal;
  const guard = (listener: NonNullable<Listener>): ((event: Event) => void) => {
    let call = guarded.get(listener);
    if (call === undefined) {
      call = (event) => {
        try {
          if (typeof listener === "function") Reflect.apply(listener, signal, [event]);
          else listener.handleEvent(event);
        } catch (fault) {
          onFault(fault);
        }
      };
      guarded.set(listener, call);
    }
    return call;
  };
  const add: AbortSignal["addEventListener"] = (type: string, listener: Listener, options?: AddListenerOptions) =>
    Reflect.apply(addEventListener, signal, [type, listener && guard(listener), options]);
  const remove: AbortSignal["removeEventListener"] = (type: string, listener: Listener, options?: AddListenerOptions) =>
    Reflect.apply(removeEventListener, signal, [type, listener && (guarded.get(listener) ?? listener), options]);
  return Object.assign(signal, { addEventListener: add, removeEventListener: remove });
}

type AddListenerOptions = Parameters<AbortSignal["addEventListener"]>[2];
