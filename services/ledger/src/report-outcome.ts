import type { Log } from '@plataforma/observe';
import { factKinds, type Outcome } from './domain/books.ts';
import { metrics } from './metrics.ts';

const notPosted = metrics.recorder(
  'plataforma_facts_not_posted_total',
  factKinds.flatMap((kind) => ['contradicted', 'groundless'].map((reason) => ({ kind, reason }))),
);

/**
 * Tells people of what they must look at: a fact the books contradict, or an answer to one they don't know.
 */
export function reportOutcome(log: Pick<Log, 'error'>, outcome: Outcome): void {
  if (outcome.is !== 'contradicted' && outcome.is !== 'groundless') return;
  const { kind, reference } = outcome.fact;
  notPosted({ kind, reason: outcome.is }, 1);
  if (outcome.is === 'groundless') {
    log.error({ kind, reference }, 'told of the answer to a fact that was never posted; nothing was posted');
    return;
  }
  const { id: entryId, kind: entryKind } = outcome.entry;
  const message = 'the books contradict a fact that was told; nothing was posted';
  log.error({ entryId, entryKind, kind, reference }, message);
}
