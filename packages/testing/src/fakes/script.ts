import { type Behaviour, honest } from './behaviours.ts';

/** The behaviours that a test sets for coming requests, by kind. */
export interface Script<Kind> {
  /** Sets the behaviours of the next requests of this kind, one for each. */
  next(kind: Kind, ...behaviours: Behaviour[]): void;
  /** Sets the behaviour of all later requests of this kind. The default is honest. */
  always(kind: Kind, behaviour?: Behaviour): void;
  /** Takes the behaviour of the current request; undefined if the test has set none for its kind. */
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
