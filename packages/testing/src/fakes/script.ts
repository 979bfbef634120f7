import { type Behaviour, honest } from './behaviours.ts';

/** A test's decisions about coming requests, for each kind of them. */
export interface Script<Kind> {
  /** How the next requests of this kind are met, one behaviour each. */
  next(kind: Kind, ...behaviours: Behaviour[]): void;
  /** How requests of this kind are met from now on; honestly when left out. */
  always(kind: Kind, behaviour?: Behaviour): void;
  /** How the request is met that has just come; undefined when the test has decided nothing about its kind. */
  take(kind: Kind): Behaviour | undefined;
  /** Forgets all decisions. */
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
