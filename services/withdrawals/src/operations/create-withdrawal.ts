import { type Database, isTransientDatabaseError } from '@plataforma/data';
import type { MerchantSnapshot } from '@plataforma/events';
import type { IdempotencyRecord } from '@plataforma/http';
import { type Cents, later, newId, Refusal, type Tenant } from '@plataforma/kernel';
import type { LedgerClient } from '@plataforma/ledger-client';
import { aheadOf, type MerchantDirectory } from '@plataforma/service';
import { dependsOnDay, requireWithinDay, withApprovalOfDay } from '../domain/day-limits.ts';
import { requireActive } from '../domain/merchant.ts';
import { newWithdrawal, requireSameRequest, type WithdrawalRequest } from '../domain/new-withdrawal.ts';
import { debitOf, inProgress, isVisible, notCovered, type Withdrawal } from '../domain/withdrawal.ts';
import { failPoint, situation } from '../fail-points.ts';
import type { PayoutProviders } from '../payouts/payout-client.ts';
import { lockCreationsAndSumDay } from '../store/day-totals.ts';
import { getPayee } from '../store/destinations.ts';
import { requireSeal } from '../store/withdrawal-rows.ts';
import {
  creations,
  findAnyWithdrawal,
  findByExternalId,
  insertWithdrawal,
  type RecordDebit,
  recordDebit,
  releaseCreation,
  saveWithdrawal,
} from '../store/withdrawals.ts';

export interface CreateWithdrawal extends RecordDebit {
  database: Database;
  ledger: LedgerClient;
  merchants: MerchantDirectory;
  payoutClientOf: PayoutProviders;
  /** A withdrawal of more than this amount in cents needs the approval of two operators. */
  fourEyesThreshold: Cents;
  /**
   * The lease of a creation in milliseconds. After this time a repeated request or the scheduler may resume
   * the creation.
   */
  creationLeaseMs: number;
}

export interface Created {
  withdrawal: Withdrawal;
  /** True if this request, or an earlier request with the same idempotency key, created the withdrawal. */
  createdByRequest: boolean;
}

/**
 * Stores a withdrawal and debits it in the ledger. A repeated request (same key or externalId) or the
 * scheduler resumes an interrupted creation. The scheduler approves and pays the withdrawal later
 * (schedule.ts).
 */
export async function createWithdrawal(
  dependencies: CreateWithdrawal,
  { tenant, request }: { tenant: Tenant; request: WithdrawalRequest },
  idempotency: IdempotencyRecord<Created>,
): Promise<Created> {
  const begun = idempotency.begunId && (await findAnyWithdrawal(dependencies.database, idempotency.begunId));
  if (begun) return resume(dependencies, begun, { idempotency, createdByRequest: true });
  // Find the withdrawal of a repeated request before the checks, because the account may have been suspended
  // or the destination deleted in the meantime.
  const existing = await findSame(dependencies, tenant, request);
  if (existing) return resume(dependencies, existing, { idempotency, createdByRequest: false });

  const merchant = await dependencies.merchants.get(tenant.merchantId);
  requireActive(merchant);
  const planned = await plan(dependencies, { tenant, request }, merchant, idempotency.isKeyed);
  const isStored = await store(dependencies, planned, merchant, idempotency);
  failPoint('withdrawal.stored');
  if (isStored) return debit(dependencies, planned, { idempotency, createdByRequest: true });
  const other = await findSame(dependencies, tenant, request);
  if (!other) throw inProgress();
  return resume(dependencies, other, { idempotency, createdByRequest: false });
}

async function plan(
  dependencies: CreateWithdrawal,
  { tenant, request }: { tenant: Tenant; request: WithdrawalRequest },
  merchant: MerchantSnapshot,
  isKeyed: boolean,
): Promise<Withdrawal> {
  const { database, clock, fourEyesThreshold } = dependencies;
  const aheadMs = await aheadOf(database, tenant);
  const now = later(clock(), aheadMs);
  const { payee, ...payeeAge } = await getPayee(database, tenant, request, now);
  // Throws if the environment has no payout provider, before the ledger is debited.
  if (payee.type === 'PIX') dependencies.payoutClientOf(tenant);
  const isRepeatable = isKeyed || request.externalId !== null;
  const context = { tenant, merchant, now, aheadMs, fourEyesThreshold, ...payeeAge, isRepeatable };
  return newWithdrawal({ ...request, payee }, context);
}

async function findSame(
  { database }: CreateWithdrawal,
  tenant: Tenant,
  request: WithdrawalRequest,
): Promise<Withdrawal | null> {
  if (request.externalId === null) return null;
  const existing = await findByExternalId(database, tenant, request.externalId);
  if (existing) requireSameRequest(existing, request);
  return existing;
}

/** Stores the withdrawal. Returns false if a withdrawal with the same externalId exists. */
async function store(
  { database, clock, creationLeaseMs }: CreateWithdrawal,
  planned: Withdrawal,
  merchant: MerchantSnapshot,
  idempotency: IdempotencyRecord<Created>,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const leaseUntil = new Date(clock().getTime() + creationLeaseMs);
    const leased = { ...planned, dueAt: leaseUntil, leaseToken: newId(), leaseUntil };
    if (!(await insertWithdrawal(tx, leased))) return false;
    await idempotency.start(tx, planned.id);
    // Check the limits last, so that a duplicate request gets the existing withdrawal and not a limit error.
    if (!dependsOnDay(leased, merchant)) return true;
    const day = await lockCreationsAndSumDay(tx, leased);
    requireWithinDay(leased, day, merchant);
    const limited = withApprovalOfDay(leased, day, merchant);
    if (limited !== leased) await saveWithdrawal(tx, limited);
    return true;
  });
}

interface Caller {
  idempotency: IdempotencyRecord<Created>;
  createdByRequest: boolean;
}

async function resume(
  dependencies: CreateWithdrawal,
  withdrawal: Withdrawal,
  caller: Caller,
): Promise<Created> {
  const { database, clock, creationLeaseMs } = dependencies;
  requireSeal(database, withdrawal);
  if (withdrawal.status === 'DEBITING') {
    const leaseRequest = { id: withdrawal.id, now: clock(), leaseMs: creationLeaseMs };
    if (!(await creations.claimOne(database, leaseRequest))) throw inProgress();
    return debit(dependencies, withdrawal, caller);
  }
  const outcome = outcomeOf(withdrawal, caller.createdByRequest);
  if (caller.idempotency.isKeyed)
    await database.transaction((tx) => caller.idempotency.saveResponse(tx, outcome));
  return answer(outcome);
}

/**
 * Debits the withdrawal in the ledger and records the answer. The ledger debits only once, so a repeat after
 * a lost answer is safe.
 */
async function debit(
  dependencies: CreateWithdrawal,
  withdrawal: Withdrawal,
  { idempotency, createdByRequest }: Caller,
): Promise<Created> {
  const debitAndRecord = async () => {
    const isDebited = await dependencies.ledger.debitWithdrawal(debitOf(withdrawal));
    return dependencies.database.transaction(async (tx) => {
      const recorded = await recordDebit(tx, dependencies, withdrawal.id, isDebited);
      await idempotency.saveResponse(tx, outcomeOf(recorded, createdByRequest));
      return recorded;
    });
  };
  const recorded = await debitAndRecord().catch((error) => afterFailure(dependencies, withdrawal, error));
  return answer(outcomeOf(recorded, createdByRequest));
}

/**
 * Returns the withdrawal if its result was recorded although the commit's answer was lost. Otherwise rethrows
 * the error.
 */
async function afterFailure(
  { database, clock }: CreateWithdrawal,
  { id, isRepeatable }: Withdrawal,
  error: unknown,
): Promise<Withdrawal> {
  const isUnavailable = error instanceof Refusal && error.kind === 'unavailable';
  if (!isUnavailable && !isTransientDatabaseError(error)) throw error;
  try {
    // Release the lease, so that a repeated request or the scheduler can resume the creation at once.
    const isOpen = await releaseCreation(database, id, clock());
    const recorded = isOpen ? null : await findAnyWithdrawal(database, id);
    if (recorded && !isUnavailable) situation('lost COMMIT found done');
    if (recorded) return recorded;
  } catch (cause) {
    // For a request without a key, 503 would mean that no withdrawal was created. Here the withdrawal may
    // exist, so throw an error that gives 500.
    if (!isRepeatable) throw new Error('it is not known whether a withdrawal was created', { cause });
  }
  throw error;
}

function outcomeOf(withdrawal: Withdrawal, createdByRequest: boolean): Created | Refusal {
  if (isVisible(withdrawal)) return { withdrawal, createdByRequest };
  if (withdrawal.status === 'REFUSED') return notCovered();
  const message = 'the withdrawal was undone, because no request could have found it again; send it again';
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', message);
}

function answer(outcome: Created | Refusal): Created {
  if (outcome instanceof Refusal) throw outcome;
  return outcome;
}
