import type { Answer, Once } from '@plataforma/chassis';
import type { Endpoint } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import type { Remembering } from '../operations/remembering.ts';

/** What a key remembers of an operation: the answer its outcome gets. */
export function remembering<E extends Endpoint, Outcome>(
  { isKeyed, begunId, begin, keep }: Once<E>,
  answerOf: (outcome: Outcome) => Answer<E>,
): Remembering<Outcome> {
  return {
    isKeyed,
    begunId,
    begin,
    keep: (tx, outcome) => keep(tx, outcome instanceof Refusal ? outcome : answerOf(outcome)),
  };
}
