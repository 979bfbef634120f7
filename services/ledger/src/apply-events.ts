import type { Transaction } from '@plataforma/data';
import type { DomainEvent } from '@plataforma/events';
import type { Tenant } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { type MovedClock, raiseClocks } from '@plataforma/service';
import { type Fact, touchesWallet } from './domain/fact.ts';
import { type FactEvent, ledgerFactsOf, namesIn } from './domain/facts-of-event.ts';
import { reportOutcome } from './report-outcome.ts';
import { postFacts } from './store/post-facts.ts';
import { saveNames } from './store/row-names.ts';
import { lockWallets } from './store/wallets.ts';

/**
 * Returns the function that processes events: it posts facts, moves sandbox clocks, and saves names for
 * statement rows.
 */
export function applyingEvents(log: Log) {
  return async (tx: Transaction, events: DomainEvent[]): Promise<void> => {
    const moved = events.flatMap((event) => (event.type === 'merchant.clock_moved' ? [event.data] : []));
    const clocks = await raiseClocks(tx, moved);
    const facts = events
      .filter((event): event is FactEvent => event.type !== 'merchant.clock_moved')
      .map(ledgerFactsOf);
    if (clocks.length > 0) await lockMoved(tx, { clocks, facts: facts.flat() });
    for (const outcome of await postFacts(tx, facts)) reportOutcome(log, outcome);
    await saveNames(tx, events.flatMap(namesIn));
  };
}

/**
 * Locks the wallets of the moved sandboxes and of the facts in one statement, to prevent deadlocks. Waits for
 * transactions that use the time before a move, so later entries have later times.
 */
async function lockMoved(
  tx: Transaction,
  { clocks, facts }: { clocks: readonly MovedClock[]; facts: readonly Fact[] },
): Promise<void> {
  const moved = clocks.map(({ merchantId }): Tenant => ({ merchantId, environment: 'sandbox' }));
  await lockWallets(tx, [...moved, ...facts.filter(touchesWallet)]);
}
