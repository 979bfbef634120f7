import type { Edit } from '../mutations.ts';

/** What takes a quarter of an hour takes seconds here: a run of minutes would never come to it. */
export const hastened: readonly Edit[] = [
  {
    file: 'services/charges/src/service.ts',
    find: 'cardHorizonMs: 15 * 60_000,',
    replace: 'cardHorizonMs: 20_000,',
  },
  {
    file: 'services/withdrawals/src/service.ts',
    find: 'doubtMs: 30 * 60_000,',
    replace: 'doubtMs: 20_000,',
  },
];

/** The settings that do the same. */
export const hastenedSettings = { BOOKS_CHECK_EVERY_MINUTES: '1' };
