import type { Endpoint } from '@plataforma/contracts';
import type { Transaction } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import type { Answer } from './serve.ts';
import type { Once } from './serve-once.ts';

/** Keeps how it ended, in the transaction that ends it. */
export type Keep<Outcome> = (tx: Transaction, outcome: Outcome | Refusal) => Promise<void>;

/** What the caller's `Idempotency-Key` remembers, in the words of an operation; without a key nothing. */
export interface Remembering<Outcome> {
  isKeyed: boolean;
  /** What an earlier request with the key has begun. */
  begunId: string | null;
  begin(tx: Transaction, id: string): Promise<void>;
  keep: Keep<Outcome>;
}

/** What a key remembers of an operation: the answer its outcome gets. */
export function remembering<E extends Endpoint, Outcome>(
  { isKeyed, begunId, begin, keep }: Once<E>,
  answerOf: (outcome: Outcome, tx: Transaction) => Answer<E> | Promise<Answer<E>>,
): Remembering<Outcome> {
  return {
    isKeyed,
    begunId,
    begin,
    keep: async (tx, outcome) => keep(tx, outcome instanceof Refusal ? outcome : await answerOf(outcome, tx)),
  };
}
