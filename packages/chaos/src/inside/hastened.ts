import type { Edit } from '../mutation.ts';

/** What takes a quarter of an hour takes seconds here: a run of minutes would hardly ever come to it. */
export const hastened: readonly Edit[] = [
  {
    file: 'services/charges/src/tuning.ts',
    find: 'cardHorizonMs: 15 * 60_000,',
    replace: 'cardHorizonMs: 20_000,',
  },
  {
    file: 'services/charges/src/tuning.ts',
    find: 'refundDoubtMs: 60_000,',
    replace: 'refundDoubtMs: 20_000,',
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
    file: 'services/charges/src/checkouts/operations/pay-by-pix.ts',
    find: 'expiresIn: link.pixExpiresIn }',
    replace: 'expiresIn: Math.ceil(link.pixExpiresIn / 30) }',
  },
  {
    file: 'services/ledger/src/parts.ts',
    find: 'config.BOOKS_CHECK_EVERY_MINUTES * 60_000',
    replace: '10_000',
  },
  {
    file: 'services/withdrawals/src/tuning.ts',
    find: 'doubtMs: 30 * 60_000,',
    replace: 'doubtMs: 20_000,',
  },
  {
    file: 'services/withdrawals/src/domain/merchant.ts',
    find: 'BARRED_REST_MS = 60_000;',
    replace: 'BARRED_REST_MS = 5_000;',
  },
];
