import type { Transaction } from '@plataforma/data';
import type { DomainEvent } from '@plataforma/events';
import type { Tenant } from '@plataforma/kernel';
import { type Core, type MovedClock, raiseClocks } from '@plataforma/service';
import type { LedgerConfig } from './config.ts';
import { type Fact, touchesWallet } from './domain/fact.ts';
import { type FactEvent, factsOf, namesIn } from './events.ts';
import { createDebits } from './operations/take-debit.ts';
import { reportOutcome } from './report-outcome.ts';
import { postFacts } from './store/post-facts.ts';
import { saveNames } from './store/row-names.ts';
import { lockWallets } from './store/wallets.ts';
import type { Tuning } from './tuning.ts';

export type LedgerParts = Core<LedgerConfig> & ReturnType<typeof buildParts>;

/** What the ledger's entrances work with. */
export function buildParts(
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
    async apply(tx: Transaction, events: DomainEvent[]) {
      const moved = events.flatMap((event) => (event.type === 'merchant.clock_moved' ? [event.data] : []));
      const clocks = await raiseClocks(tx, moved);
      const facts = events
        .filter((event): event is FactEvent => event.type !== 'merchant.clock_moved')
        .map(factsOf);
      if (clocks.length > 0) await lockMoved(tx, { clocks, facts: facts.flat() });
      for (const outcome of await postFacts(tx, facts)) reportOutcome(log, outcome);
      await saveNames(tx, events.flatMap(namesIn));
    },
  };
}

/** OFX takes 22 characters for an account number, which are too few for an id with its hyphens. */
const inBase64 = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');

/**
 * Waits for those who write to these sandboxes by the time of before: once their clocks are moved nothing is written any
 * more that is dated before it, and a day that is over stays as it is. With all that is posted, as wallets have one order.
 */
async function lockMoved(
  tx: Transaction,
  { clocks, facts }: { clocks: readonly MovedClock[]; facts: readonly Fact[] },
): Promise<void> {
  const moved = clocks.map(({ merchantId }): Tenant => ({ merchantId, environment: 'sandbox' }));
  await lockWallets(tx, [...moved, ...facts.filter(touchesWallet)]);
}
