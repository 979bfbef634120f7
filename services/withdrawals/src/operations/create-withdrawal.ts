import type { MerchantDirectory, Transaction } from '@plataforma/chassis';
import type { MerchantSnapshot } from '@plataforma/events';
import { type Cents, Refusal, type Tenant } from '@plataforma/kernel';
import { noSuchDestination, type Target } from '../domain/destination.ts';
import { demandSameOrder, demandWithinDay, newWithdrawal, type Order } from '../domain/new-withdrawal.ts';
import { inProgress, isSeen, notCovered, type Withdrawal } from '../domain/withdrawal.ts';
import type { PayoutProviders } from '../payouts/providers.ts';
import { findDestination } from '../store/destinations.ts';
import {
  claimCreation,
  findAnyWithdrawal,
  findByExternalId,
  insertWithdrawal,
  keyKnownSince,
  lockDay,
  lookAtCreation,
} from '../store/withdrawals.ts';
import { type SettleCreation, settleCreation } from './settle-creation.ts';

export interface CreateWithdrawal extends SettleCreation {
  merchants: MerchantDirectory;
  payouts: PayoutProviders;
  /** Above it two operators must approve. */
  fourEyesThreshold: Cents;
  /** For how long nobody else goes on with a creation that is under way. */
  creationLeaseMs: number;
}

export interface OrderRequest extends Omit<Order, 'target'> {
  /** As it was given; null with a saved destination. */
  target: Target | null;
}

export interface Created {
  withdrawal: Withdrawal;
  isNew: boolean;
}

/** What the caller's `Idempotency-Key` remembers; without one nothing. */
export interface Remembering {
  isKeyed: boolean;
  /** The withdrawal an earlier request with the key has begun. */
  begunId: string | null;
  begin(tx: Transaction, withdrawalId: string): Promise<void>;
  keep(tx: Transaction, outcome: Created | Refusal): Promise<void>;
}

/**
 * Writes the withdrawal down, then takes its money from the balance, then opens it. Whatever happens in between, the
 * same request sent again goes on from there, by its key or externalId; so does the clock.
 */
export async function createWithdrawal(
  parts: CreateWithdrawal,
  { tenant, order }: { tenant: Tenant; order: OrderRequest },
  remembering: Remembering,
): Promise<Created> {
  const begun = remembering.begunId && (await findAnyWithdrawal(parts.database, remembering.begunId));
  if (begun) return goOn(parts, begun, { remembering, isNew: true });

  const merchant = await parts.merchants.find(tenant.merchantId);
  if (merchant.status === 'SUSPENDED' || merchant.status === 'REJECTED') {
    throw new Refusal('forbidden', 'MERCHANT_SUSPENDED', 'the account can’t withdraw; contact support');
  }
  const planned = await plan(parts, { tenant, order, merchant, isKeyed: remembering.isKeyed });
  const known = await findSame(parts, planned);
  if (known) return goOn(parts, known, { remembering, isNew: false });
  const isWritten = await writeDown(parts, { planned, merchant, remembering });
  if (isWritten) return settleFor(parts, planned, { remembering, isNew: true });
  const other = await findSame(parts, planned);
  if (!other) throw inProgress();
  return goOn(parts, other, { remembering, isNew: false });
}

interface Planning {
  tenant: Tenant;
  order: OrderRequest;
  merchant: MerchantSnapshot;
  isKeyed: boolean;
}

async function plan(
  parts: CreateWithdrawal,
  { tenant, order, merchant, isKeyed }: Planning,
): Promise<Withdrawal> {
  const { database, clock, fourEyesThreshold } = parts;
  const { destinationId } = order;
  const destination = destinationId ? await findDestination(database, tenant, destinationId) : null;
  const target = destination ?? order.target;
  if (!target) throw noSuchDestination();
  // Before anything is promised: an environment without a provider pays nobody.
  if (target.type === 'PIX') parts.payouts(tenant.environment);
  const ordered = target.type === 'PIX' ? await keyKnownSince(database, tenant, target.pixKey) : null;
  const payeeSeenAt = [ordered, destination?.createdAt].filter((at) => at instanceof Date);
  const canBeAskedFor = isKeyed || order.externalId !== null;
  const terms = { tenant, merchant, now: clock(), fourEyesThreshold, payeeSeenAt, canBeAskedFor };
  return newWithdrawal({ ...order, target: bare(target) }, terms);
}

/** The target alone, without what else is kept of a saved one. */
function bare(target: Target): Target {
  if (target.type === 'PIX') {
    return { type: 'PIX', pixKeyType: target.pixKeyType, pixKey: target.pixKey };
  }
  const { type, bankCode, branch, account, accountType, holderName, holderDocument } = target;
  return { type, bankCode, branch, account, accountType, holderName, holderDocument };
}

async function findSame({ database }: CreateWithdrawal, planned: Withdrawal): Promise<Withdrawal | null> {
  if (planned.externalId === null) return null;
  const known = await findByExternalId(database, planned, planned.externalId);
  if (known) demandSameOrder(known, planned);
  return known;
}

interface WritingDown {
  planned: Withdrawal;
  merchant: MerchantSnapshot;
  remembering: Remembering;
}

/** False when somebody else has just written down one with the same externalId. */
async function writeDown(
  { database, clock, creationLeaseMs }: CreateWithdrawal,
  { planned, merchant, remembering }: WritingDown,
): Promise<boolean> {
  const now = clock();
  return database.transaction(async (tx) => {
    if (merchant.dailyWithdrawalLimit !== null) {
      demandWithinDay(await lockDay(tx, planned, now), planned.amount, merchant);
    }
    const nextCheckAt = new Date(now.getTime() + creationLeaseMs);
    if (!(await insertWithdrawal(tx, { ...planned, nextCheckAt }))) return false;
    await remembering.begin(tx, planned.id);
    return true;
  });
}

interface Caller {
  remembering: Remembering;
  isNew: boolean;
}

/** Of one that exists: it is answered, or its creation is taken up where it stopped. */
async function goOn(parts: CreateWithdrawal, withdrawal: Withdrawal, caller: Caller): Promise<Created> {
  const { database, clock, creationLeaseMs } = parts;
  if (withdrawal.status === 'DEBITING') {
    const isOurs = await claimCreation(database, withdrawal.id, { now: clock(), leaseMs: creationLeaseMs });
    if (!isOurs) throw inProgress();
    return settleFor(parts, withdrawal, caller);
  }
  const outcome = outcomeOf(withdrawal, caller.isNew);
  if (caller.remembering.isKeyed) await database.transaction((tx) => caller.remembering.keep(tx, outcome));
  return told(outcome);
}

/** Settles the creation for a caller who is there to hear how it went. */
async function settleFor(
  parts: CreateWithdrawal,
  withdrawal: Withdrawal,
  { remembering, isNew }: Caller,
): Promise<Created> {
  try {
    const settled = await settleCreation(parts, withdrawal, {
      taken: 'open',
      andThen: (tx, as) => remembering.keep(tx, outcomeOf(as, isNew)),
    });
    return told(outcomeOf(settled, isNew));
  } catch (error) {
    // Whoever asks again need not wait for the lease to run out; nor does the clock.
    if (error instanceof Refusal && error.kind === 'unavailable') {
      await lookAtCreation(parts.database, withdrawal.id, parts.clock());
    }
    throw error;
  }
}

function outcomeOf(withdrawal: Withdrawal, isNew: boolean): Created | Refusal {
  if (isSeen(withdrawal)) return { withdrawal, isNew };
  if (withdrawal.status === 'REFUSED') return notCovered();
  const message = 'the withdrawal was undone, as nobody could have asked for it again; send it again';
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', message);
}

function told(outcome: Created | Refusal): Created {
  if (outcome instanceof Refusal) throw outcome;
  return outcome;
}
