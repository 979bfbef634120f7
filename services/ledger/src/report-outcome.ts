import type { Log } from '@plataforma/observe';
import { factKinds, type Outcome } from './domain/books.ts';
import { metrics } from './metrics.ts';

const notPosted = metrics.recorder(
  'plataforma_facts_not_posted_total',
  factKinds.flatMap((kind) => ['contradicted', 'groundless'].map((reason) => ({ kind, reason }))),
);

/**
 * Logs and counts facts that contradict an entry, and facts that are not posted because the ledger lacks the
 * fact that they end. An operator must investigate both cases.
 */
export function reportOutcome(log: Pick<Log, 'error'>, outcome: Outcome): void {
  if (outcome.is !== 'contradicted' && outcome.is !== 'groundless') return;
  const { kind, reference } = outcome.fact;
  notPosted({ kind, reason: outcome.is }, 1);
  if (outcome.is === 'groundless') {
    log.error({ kind, reference }, 'fact not posted: its earlier fact is missing');
    return;
  }
  const { id: entryId, kind: entryKind } = outcome.entry;
  log.error({ entryId, entryKind, kind, reference }, 'fact not posted: the books contradict it');
}
