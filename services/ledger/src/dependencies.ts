import type { Tenant } from '@plataforma/kernel';
import type { Core } from '@plataforma/service';
import { applyingEvents } from './apply-events.ts';
import type { LedgerConfig } from './config.ts';
import { createDebits } from './operations/take-debit.ts';
import type { Tuning } from './tuning.ts';

export type LedgerDependencies = Core<LedgerConfig> & ReturnType<typeof buildDependencies>;

export function buildDependencies(
  { config, log, database }: Core<LedgerConfig>,
  { scheduleEveryMs, ...tuned }: Tuning,
) {
  return {
    ...tuned,
    everyMs: scheduleEveryMs,
    checkBooksEveryMs: config.BOOKS_CHECK_EVERY_MINUTES * 60_000,
    ofxAccountOf: ({ merchantId, environment }: Tenant) => ({
      bankId: config.OFX_BANK_ID,
      accountId: config.OFX_ACCOUNT_IDS?.get(merchantId) ?? inBase64(merchantId),
      environment,
    }),
    takeDebit: createDebits({ database, log }),
    apply: applyingEvents(log),
  };
}

/** Shortens an id to the 22 characters that OFX allows for an account number. */
const inBase64 = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
