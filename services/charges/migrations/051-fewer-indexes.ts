import type { Migration } from '@plataforma/data';

/**
 * What operators see is listed by id, which begins with the time, and a Pix is found by its payment, whose key is that
 * number. Nothing looks for payments by their time.
 */
export const fewerIndexes: Migration = {
  name: '051_fewer_indexes',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS charges_all',
    'DROP INDEX CONCURRENTLY IF EXISTS charges_end_to_end',
    'DROP INDEX CONCURRENTLY IF EXISTS payments_paid_at',
  ],
};
