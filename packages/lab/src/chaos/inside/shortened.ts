import type { Edit } from '../mutation.ts';

/**
 * Edits that reduce intervals of a quarter of an hour or more to seconds, because a run takes only minutes.
 */
export const shortened: readonly Edit[] = [
  {
    file: 'packages/tables/src/anchors/announce-heads.ts',
    find: "next_at = now() + interval '1 hour' WHERE",
    replace: "next_at = now() + interval '5 seconds' WHERE",
  },
  {
    file: 'packages/tables/src/anchors/announce-heads.ts',
    find: 'CHECK_EVERY_MS = 60_000;',
    replace: 'CHECK_EVERY_MS = 2_000;',
  },
  {
    file: 'packages/tables/migrations/shared-tables.sql',
    find: "DEFAULT now() + interval '1 hour'",
    replace: "DEFAULT now() + interval '5 seconds'",
  },
  {
    file: 'services/gateway/src/operations/anchor-audit-logs.ts',
    find: 'EVERY_MS = 3_600_000;',
    replace: 'EVERY_MS = 10_000;',
  },
  {
    file: 'services/charges/src/tuning.ts',
    find: 'cardHorizonMs: 15 * 60_000,',
    replace: 'cardHorizonMs: 20_000,',
  },
  {
    file: 'services/charges/src/tuning.ts',
    find: 'refundUnconfirmedMs: 60_000,',
    replace: 'refundUnconfirmedMs: 20_000,',
  },
  {
    file: 'services/charges/src/tuning.ts',
    find: 'readListsEveryMs: 30_000,',
    replace: 'readListsEveryMs: 10_000,',
  },
  {
    file: 'services/charges/src/checkouts/domain/checkout.ts',
    find: 'CARD_FORM_MS = 10 * 60_000;',
    replace: 'CARD_FORM_MS = 8_000;',
  },
  {
    file: 'services/charges/src/checkouts/domain/checkout.ts',
    find: 'LIFE_MS = 24 * 3_600_000;',
    replace: 'LIFE_MS = 30_000;',
  },
  {
    file: 'services/charges/src/checkouts/operations/pay-by-pix.ts',
    find: 'expiresIn: link.pixExpiresIn }',
    replace: 'expiresIn: Math.ceil(link.pixExpiresIn / 30) }',
  },
  {
    file: 'services/ledger/src/dependencies.ts',
    find: 'config.BOOKS_CHECK_EVERY_MINUTES * 60_000',
    replace: '10_000',
  },
  {
    file: 'services/withdrawals/src/tuning.ts',
    find: 'unconfirmedMs: 30 * 60_000,',
    replace: 'unconfirmedMs: 20_000,',
  },
  {
    file: 'services/withdrawals/src/domain/payout.ts',
    find: 'RECHECK_MS = 60_000;',
    replace: 'RECHECK_MS = 5_000;',
  },
];
