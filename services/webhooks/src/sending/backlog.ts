/**
 * The configurations with due deliveries that wait for slots, as far as this process knows. A newer delivery
 * to one of these configurations must not overtake the older ones.
 */
export interface Backlog {
  hasOlderDue(configurationId: string): boolean;
  /**
   * Returns whether any configuration may have older due deliveries. This is true at the start and after a
   * scan that stopped early, until a complete scan of all configurations ends.
   */
  isUnknown(): boolean;
  add(configurationIds: Iterable<string>): void;
  beginScan(): void;
  /** Records that a scan stopped early because all slots were in use. */
  cutScan(): void;
  endScan(): void;
}

export function createBacklog(): Backlog {
  let withOlderDue = new Set<string>();
  /** Configurations that the current scan found, or that were added during the scan. */
  let found = new Set<string>();
  let isCut = true;

  return {
    hasOlderDue: (configurationId) => isCut || withOlderDue.has(configurationId),
    isUnknown: () => isCut,
    add(configurationIds) {
      for (const id of configurationIds) {
        withOlderDue.add(id);
        found.add(id);
      }
    },
    beginScan() {
      found = new Set();
    },
    cutScan() {
      isCut = true;
    },
    endScan() {
      withOlderDue = found;
      isCut = false;
    },
  };
}
