/**
 * Which configurations have something due that waits for slots, as far as this process knows. Nothing newer of theirs
 * may take the slots before it.
 */
export interface Backlog {
  isBehind(configurationId: string): boolean;
  /** Whether a lap over all configurations is still to be ended: until it is, each of them may be behind. */
  isUnknown(): boolean;
  add(configurationIds: Iterable<string>): void;
  beginLap(): void;
  /** Slots ran out before all were visited. */
  cutLap(): void;
  endLap(): void;
}

export function createBacklog(): Backlog {
  let behind = new Set<string>();
  /** What the lap that runs has found, and what was added since it began. */
  let found = new Set<string>();
  let isCut = true;

  return {
    isBehind: (configurationId) => isCut || behind.has(configurationId),
    isUnknown: () => isCut,
    add(configurationIds) {
      for (const id of configurationIds) {
        behind.add(id);
        found.add(id);
      }
    },
    beginLap() {
      found = new Set();
    },
    cutLap() {
      isCut = true;
    },
    endLap() {
      behind = found;
      isCut = false;
    },
  };
}
