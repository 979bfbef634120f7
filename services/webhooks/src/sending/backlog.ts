/**
 * The configurations whose due deliveries wait for slots, as far as this process knows. A newer delivery to
 * one of them must not take a slot before the older ones.
 */
export interface Backlog {
  hasOlderDue(configurationId: string): boolean;
  /**
   * Returns true until a scan of all configurations ends, because each may have older due deliveries until
   * then.
   */
  isUnknown(): boolean;
  add(configurationIds: Iterable<string>): void;
  beginScan(): void;
  /** Records that slots ran out before the scan reached all configurations. */
  cutScan(): void;
  endScan(): void;
}

export function createBacklog(): Backlog {
  let withOlderDue = new Set<string>();
  /** Configurations that the running scan has found, or that were added since it began. */
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
