import type { Transaction } from '@plataforma/chassis';
import type { Refusal } from '@plataforma/kernel';

/** Keeps how it ended, in the transaction that ends it. */
export type Keep<Outcome> = (tx: Transaction, outcome: Outcome | Refusal) => Promise<void>;

/** What the caller's `Idempotency-Key` remembers; without one nothing. */
export interface Remembering<Outcome> {
  isKeyed: boolean;
  /** What an earlier request with the key has begun. */
  begunId: string | null;
  begin(tx: Transaction, id: string): Promise<void>;
  keep: Keep<Outcome>;
}
