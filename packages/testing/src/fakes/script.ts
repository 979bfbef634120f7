import { type Behaviour, honest } from './behaviours.ts';

/** The behaviours that a test sets for the next requests, by the kind of request. */
export interface Script<Kind> {
  /**
   * Sets the behaviours of the next requests of this kind: the first behaviour applies to the next request,
   * and so on.
   */
  next(kind: Kind, ...behaviours: Behaviour[]): void;
  /**
   * Sets the behaviour of all later requests of this kind. Without a behaviour each request is executed and
   * answered correctly.
   */
  always(kind: Kind, behaviour?: Behaviour): void;
  /**
   * Returns the behaviour for the current request; undefined if the test has set no behaviour for this kind
   * of request.
   */
  take(kind: Kind): Behaviour | undefined;
  clear(): void;
}

export function createScript<Kind>(): Script<Kind> {
  const queued = new Map<Kind, Behaviour[]>();
  const lasting = new Map<Kind, Behaviour>();
  return {
    next: (kind, ...behaviours) => void queued.set(kind, behaviours),
    always: (kind, behaviour = honest) => void lasting.set(kind, behaviour),
    take: (kind) => queued.get(kind)?.shift() ?? lasting.get(kind),
    clear() {
      queued.clear();
      lasting.clear();
    },
  };
}
