/** Who closes what it is handed, whatever becomes of the work that uses it. */
export interface Owner {
  /** Has something closed later; what was handed over last is closed first. */
  defer(close: () => unknown): void;
}

interface Closers extends Owner {
  /** Closes everything, though some of it fails, and then fails as the first did. */
  close(): Promise<void>;
}

export function openClosers(): Closers {
  const waiting: (() => unknown)[] = [];
  return {
    defer: (close) => void waiting.push(close),
    async close() {
      const errors: unknown[] = [];
      for (const close of waiting.splice(0).reverse()) {
        try {
          await close();
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length > 0) throw errors[0];
    },
  };
}
