import type { Tenant } from '@plataforma/kernel';
import type { Core } from '@plataforma/service';
import type { LedgerConfig } from './config.ts';
import { applyingEvents } from './events.ts';
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

/** OFX takes 22 characters for an account number, which are too few for an id with its hyphens. */
const inBase64 = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
