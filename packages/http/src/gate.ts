/** Checked just before the first byte of an order leaves; throws when it may not leave. */
export interface Gate {
  check(): void | Promise<void>;
}
