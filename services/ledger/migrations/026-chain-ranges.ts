import type { Migration } from '@plataforma/data';
import { NEW_ENTRIES, refusingUnbooked } from './023-booked-wallets.ts';

/**
 * As before, and by the chain's index, which alone has the wanted order where nothing is sorted. A plan made while the
 * table was small was kept: for each change of a wallet it read every entry of the environment twice.
 */
export const chainRanges: Migration = {
  name: '026_chain_ranges',
  sql: refusingUnbooked({
    create: 'CREATE OR REPLACE',
    settings: `SET enable_seqscan = off SET enable_bitmapscan = off
        SET enable_sort = off SET enable_incremental_sort = off`,
    entries: `(
            SELECT id, wallet_sequence, hash FROM ${NEW_ENTRIES} ORDER BY wallet_sequence OFFSET 0) e`,
  }),
};
