/** What is asked just before the first byte of an order leaves, and throws when it may not. */
export interface Gate {
  demand(): void | Promise<void>;
}
