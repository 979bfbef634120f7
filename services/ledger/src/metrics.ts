import { defineMetrics, REQUEST_SECONDS } from '@plataforma/observe';

const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100, 150, 200] as const;

export const metrics = defineMetrics({
  plataforma_ledger_batch_size: {
    kind: 'histogram',
    help: 'Events or debits that were posted together.',
    labels: [],
    buckets: BATCH_SIZES,
  },
  plataforma_ledger_post_duration_seconds: {
    kind: 'histogram',
    help: 'Time to post a batch, from the locks of its wallets to the last row before the commit.',
    labels: [],
    buckets: REQUEST_SECONDS,
  },
  plataforma_facts_not_posted_total: {
    kind: 'counter',
    help:
      'Facts that the ledger received and did not post: contradicted by the books, or groundless (they ' +
      'refer to no entry).',
    labels: ['kind', 'reason'],
  },
  plataforma_books_differences: {
    kind: 'gauge',
    help: 'Differences between wallets and their entries, by the last whole check and the current one.',
    labels: [],
  },
  plataforma_books_checked_seconds: {
    kind: 'gauge',
    help: 'Time since the end of the last whole check of the books; absent if the books are not checked.',
    labels: [],
  },
  plataforma_books_check_every_seconds: {
    kind: 'gauge',
    help: 'Time between the starts of two checks of the books; absent if the books are not checked.',
    labels: [],
  },
});
