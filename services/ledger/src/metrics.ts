import { defineMetrics, REQUEST_SECONDS } from '@plataforma/observe';

const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100, 150, 200] as const;

export const metrics = defineMetrics({
  plataforma_ledger_batch_size: {
    kind: 'histogram',
    help: 'How many events or debits were posted together.',
    labels: [],
    buckets: BATCH_SIZES,
  },
  plataforma_ledger_post_duration_seconds: {
    kind: 'histogram',
    help: 'How long posting a batch took, from the locks of its wallets to the last row before the commit.',
    labels: [],
    buckets: REQUEST_SECONDS,
  },
  plataforma_facts_not_posted_total: {
    kind: 'counter',
    help: 'Facts the ledger received and did not post: contradicted by the books, or groundless, the answer to none.',
    labels: ['kind', 'reason'],
  },
  plataforma_books_differences: {
    kind: 'gauge',
    help: 'Where wallets differ from their entries, by the last whole check of them and the one under way.',
    labels: [],
  },
  plataforma_books_checked_seconds: {
    kind: 'gauge',
    help: 'How long ago a whole check of the books has ended; not there where they are not checked.',
    labels: [],
  },
  plataforma_books_check_every_seconds: {
    kind: 'gauge',
    help: 'From the beginning of a check of the books to the next one; not there where they are not checked.',
    labels: [],
  },
});
