import type { Database, Transaction } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import { writeAudit } from '@plataforma/tables';
import type { FactOf } from '../domain/fact.ts';
import { sum, type Wallet, withdrawable } from '../domain/wallet.ts';
import { failPoint } from '../fail-points.ts';
import { againIfDuplicate, findExistingEntries } from '../store/journal.ts';
import { postFacts } from '../store/post-facts.ts';
import { findWallet, lockWallets } from '../store/wallets.ts';

export type WalletChange = Omit<FactOf<'block' | 'unblock' | 'adjustment'>, 'orderedBy'>;

interface Asking {
  operatorId: string;
  saveResponse(tx: Transaction, done: WalletChange): Promise<void>;
}

/** Changes a wallet for an operator, as `changeWalletIn` does, in a transaction of its own. */
export function changeWallet(
  { database }: { database: Database },
  change: WalletChange,
  { operatorId, saveResponse }: Asking,
): Promise<WalletChange> {
  return againIfDuplicate(() =>
    database.transaction(async (tx) => {
      const done = await changeWalletIn(tx, change, { operatorId });
      await saveResponse(tx, done);
      failPoint('wallet.changed');
      return done;
    }),
  );
}

interface By {
  operatorId: string;
  /** The fields of the audit row that name the operators of a proposal. */
  deciders?: Record<string, unknown>;
}

/**
 * Changes a wallet for an operator and writes the audit log. A repeat with the same id returns the first
 * change. Throws a Refusal if the change is not possible, or INVALID_STATE if the id was used for a different
 * change.
 */
export async function changeWalletIn(
  tx: Transaction,
  change: WalletChange,
  { operatorId, deciders = {} }: By,
): Promise<WalletChange> {
  const [before] = await lockWallets(tx, [change]);
  const [outcome] = await postFacts(tx, [[{ ...change, orderedBy: `operator:${operatorId}` }]]);
  if (outcome?.is === 'refused') throw outcome.refusal;
  if (outcome?.is === 'known') return { ...change, occurredAt: await whenDone(tx, change) };
  if (outcome?.is !== 'posted' || !before) {
    throw new Refusal('conflict', 'INVALID_STATE', 'id: the books have it with other content');
  }
  const { reference, amount, memo } = change;
  await writeAudit(tx, {
    operatorId,
    action: `wallet.${change.kind}`,
    subjectId: change.merchantId,
    before: audited(before),
    after: {
      id: reference,
      environment: change.environment,
      amount,
      ...audited(await findWallet(tx, change)),
      ...deciders,
    },
    reason: memo,
  });
  return change;
}

async function whenDone(tx: Transaction, change: WalletChange): Promise<string> {
  const { entries } = await findExistingEntries(tx, [], [change]);
  return entries[0]?.occurredAt ?? change.occurredAt;
}

function audited(wallet: Wallet): Record<string, number> {
  return {
    availableBalance: sum(wallet.available),
    withdrawableBalance: withdrawable(wallet),
    blockedBalance: sum(wallet.blocked),
  };
}
