import type { Migration } from '@plataforma/data';

export const cardAttempts: Migration = {
  name: '012_card_attempts',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS charges_card_attempt',
    // One order with one token is one attempt, whatever became of it: an order that is sent again after its decline finds
    // that decline. Two ends leave the token out: the acquirer did not take it, or never heard of it.
    `CREATE UNIQUE INDEX CONCURRENTLY charges_card_attempt
      ON charges (merchant_id, environment, external_id, card_token_hash)
      WHERE card_token_hash IS NOT NULL
        AND coalesce(decline_reason, '') NOT IN ('invalid_card_token', 'not_processed')`,
  ],
};
