import { createSigner, signingKey } from '@plataforma/http';
import type { Clock } from '@plataforma/kernel';
import { createLedgerClient } from '@plataforma/ledger-client';
import { createStops } from '@plataforma/service';
import { silent } from '@plataforma/testing/world';
import { type Claimed, claimedOf, type ExternalOrder } from '@plataforma/work';
import { createCreditSums } from '../../../src/credit-records.ts';
import { type Payout, payoutOf } from '../../../src/domain/payout.ts';
import { createPayoutOrder } from '../../../src/operations/advance-payout.ts';
import {
  type CompareBooks,
  compareBooksBeforePayout,
} from '../../../src/operations/compare-books-before-payout.ts';
import type { PayoutClient } from '../../../src/payouts/payout-client.ts';
import { withdrawalOf } from '../../../src/store/withdrawal-rows.ts';
import { duePayouts, findAnyWithdrawal } from '../../../src/store/withdrawals.ts';
import { CLIENT } from '../../support/fake-bank.ts';
import { keySettings } from '../../support/identity.ts';
import type { World } from '../../support/world.ts';

const clock: Clock = () => new Date();
const unexpected = () => Promise.reject(new Error('the bank must not be queried'));

interface Replica extends Partial<Pick<PayoutClient, 'order' | 'find'>> {
  status?: 'APPROVED' | 'SUSPENDED' | 'REJECTED';
}

function booksOf({ database, ledger, charges }: World): CompareBooks {
  const signer = createSigner('withdrawals', signingKey.parse(keySettings.SERVICE_KEY));
  return {
    ...{ database, clock, log: silent },
    creditSums: createCreditSums({ database, chargesUrl: charges.url, signer, timeoutMs: 5_000 }),
    ledger: createLedgerClient({ url: ledger.url, signer, timeoutMs: 5_000 }),
  };
}

/**
 * Verifies the ledger's records of a payout as a second replica would. Runs `meanwhile` after the records are
 * read and before the result is stored.
 */
export async function comparedWhile(world: World, id: string, meanwhile: () => Promise<unknown>) {
  const books = booksOf(world);
  const withdrawal = await findAnyWithdrawal(world.database, id);
  if (!withdrawal) throw new Error('no such withdrawal');
  const proveWallet: typeof books.ledger.proveWallet = async (...args) => {
    const proof = await books.ledger.proveWallet(...args);
    await meanwhile();
    return proof;
  };
  return compareBooksBeforePayout({ ...books, ledger: { proveWallet } }, withdrawal);
}

/**
 * Builds the payout saga of a second replica. `replica` gives the merchant's status and the bank's answers.
 */
export function replicaWith(world: World, replica: Replica): ExternalOrder<Payout> {
  const { database } = world;
  const { status = 'APPROVED', order = unexpected, find = unexpected } = replica;
  const books = booksOf(world);
  return createPayoutOrder({
    database,
    compareBooksBeforePayout: (withdrawal) => compareBooksBeforePayout(books, withdrawal),
    hasSignedApprovals: () => true,
    clock,
    log: silent,
    unconfirmedMs: 60_000,
    merchants: { get: async () => ({ status }) },
    stops: createStops(database),
    payoutClientOf: () => ({ payingPixKey: CLIENT.key, order, find }),
  });
}

export async function claimed({ database }: World, id: string): Promise<Claimed<Payout>> {
  const row = await duePayouts.claimOne(database, { id, now: clock(), leaseMs: 30_000 });
  if (!row) throw new Error('it is claimed already');
  return claimedOf(payoutOf(withdrawalOf(row)), clock);
}
