import type { Transaction } from '@plataforma/data';
import type { DomainEvent } from '@plataforma/events';
import { createVerifier } from '@plataforma/http';
import { type Core, raiseClocks } from '@plataforma/service';
import type { LedgerConfig } from './config.ts';
import { type FactEvent, factsOf } from './events.ts';
import { createDebits } from './operations/take-debit.ts';
import { postFacts } from './steps/post-facts.ts';
import { reportOutcome } from './steps/report-outcome.ts';
import { lockSandboxes } from './store/moved-clocks.ts';
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
    verifier: createVerifier('ledger', config.TRUSTED_KEYS),
    takeDebit: createDebits({ database, log }),
    async apply(tx: Transaction, events: DomainEvent[]) {
      const moved = events.flatMap((event) => (event.type === 'merchant.clock_moved' ? [event.data] : []));
      const clocks = await raiseClocks(tx, moved);
      await lockSandboxes(
        tx,
        clocks.map(({ merchantId }) => merchantId),
      );
      const facts = events.filter((event): event is FactEvent => event.type !== 'merchant.clock_moved');
      for (const outcome of await postFacts(tx, facts.map(factsOf))) reportOutcome(log, outcome);
    },
  };
}
