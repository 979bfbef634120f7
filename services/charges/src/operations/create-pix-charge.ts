import type { Database, Transaction } from '@plataforma/data';
import type { IdempotencyRecord } from '@plataforma/http';
import { type Clock, later, type Tenant } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { aheadOf, type MerchantDirectory, type Stops } from '@plataforma/service';
import type { Charge } from '../domain/charge.ts';
import { type CreatedCharge, feeOf, newCharge, type Order, requireSameOrder } from '../domain/new-charge.ts';
import { requireDocument } from '../domain/payer.ts';
import { subjectOf } from '../domain/stop-subject.ts';
import { failPoint } from '../fail-points.ts';
import type { PixProviders } from '../pix/pix-client.ts';
import { requireSeal, withSeal } from '../store/charge-rows.ts';
import { findAnyCharge, findChargeByExternalId } from '../store/charges.ts';
import { recordUnanswered, setQrCode, storeCharge } from '../store/new-charges.ts';

interface RegisterCharge {
  database: Database;
  pix: PixProviders;
  stops: Stops;
  clock: Clock;
  log: Log;
  /**
   * The delay before the scheduler first checks a charge at the provider. The check is needed if the
   * provider's callback is lost, or if the process that handles the request dies.
   */
  firstPollMs: number;
  /**
   * The time for which the scheduler leaves a charge to its caller after a failed registration at the
   * provider.
   */
  registrationGraceMs: number;
}

interface CreatePixCharge extends RegisterCharge {
  merchants: MerchantDirectory;
  liveUpdates: { created(charge: Charge): void };
}

interface PixChargeCommand {
  tenant: Tenant;
  order: Order & { expiresIn: number };
  /**
   * `get` reads the merchant now. `recall` uses the cached merchant, unless the database shows that the
   * merchant has changed.
   */
  merchantBy?: 'get' | 'recall';
}

/**
 * Stores the charge and then registers it at the provider with its txid. After an interruption, a repetition
 * of the request or the scheduler continues the registration.
 */
export async function createPixCharge(
  dependencies: CreatePixCharge,
  command: PixChargeCommand,
  idempotency: IdempotencyRecord<CreatedCharge>,
): Promise<CreatedCharge> {
  const { environment } = command.tenant;
  requireDocument(command.order.payerDocument, environment);
  // Throws if the environment has no Pix provider, so that no charge is stored that cannot be registered.
  dependencies.pix(command.tenant);
  const aheadMs = await aheadOf(dependencies.database, command.tenant);
  const { charge, isNew } =
    (await begunCharge(dependencies, idempotency)) ??
    (await writtenCharge(dependencies, { ...command, aheadMs }, idempotency));
  const saveResponse = idempotency.isKeyed
    ? (tx: Transaction, as: Charge) => idempotency.saveResponse(tx, { charge: as, isNew })
    : null;
  return { charge: await registerCharge(dependencies, charge, aheadMs, saveResponse), isNew };
}

async function begunCharge(
  { database }: CreatePixCharge,
  { begunId }: IdempotencyRecord<CreatedCharge>,
): Promise<CreatedCharge | null> {
  const charge = begunId && (await findAnyCharge(database, begunId));
  if (!charge) return null;
  requireSeal(database, charge);
  return { charge, isNew: true };
}

async function writtenCharge(
  dependencies: CreatePixCharge,
  { tenant, order, aheadMs, merchantBy = 'recall' }: PixChargeCommand & { aheadMs: number },
  idempotency: IdempotencyRecord<CreatedCharge>,
): Promise<CreatedCharge> {
  const { database, merchants, stops, clock, firstPollMs } = dependencies;
  const merchant = await merchants[merchantBy](tenant.merchantId);
  const fee = feeOf(order.amount, { feeBps: merchant.pixFeeBps, feeFixed: merchant.pixFeeFixed });
  const now = later(clock(), aheadMs);
  const expiresAt = new Date(now.getTime() + order.expiresIn * 1000);
  const dueAt = new Date(clock().getTime() + Math.min(order.expiresIn * 1000, firstPollMs));
  const made = newCharge(order, { tenant, fee, now, paymentMethod: 'PIX' });
  const planned = withSeal(database, { ...made, expiresAt, dueAt });

  const merchantVersion = merchantBy === 'recall' ? merchant.version : null;
  if (await storeCharge(database, { charge: planned, cardTokenHash: null, merchantVersion }, idempotency)) {
    failPoint('charge.stored');
    dependencies.liveUpdates.created(planned);
    return { charge: planned, isNew: true };
  }
  // A repeated request for an existing charge gets its response even during a stop, because a stop only
  // prevents new charges.
  const existing = await findChargeByExternalId(database, planned);
  if (existing) {
    requireSameOrder(existing, planned);
    requireSeal(database, existing);
    return { charge: existing, isNew: false };
  }
  await stops.requireNotStopped(subjectOf('charges', planned));
  // The merchant has changed, or the charge with this externalId has just ended. In both cases the order is
  // stored in a second attempt.
  return writtenCharge(dependencies, { tenant, order, aheadMs, merchantBy: 'get' }, idempotency);
}

/**
 * Registers a charge and returns it with its code. A repeated registration is safe, because the txid is the
 * same. The provider counts the time to pay from the registration, so a late registration gets only the time
 * that is left.
 */
export async function registerCharge(
  dependencies: RegisterCharge,
  charge: Charge,
  aheadMs: number,
  saveResponse: ((tx: Transaction, as: Charge) => Promise<void>) | null = null,
): Promise<Charge> {
  const { database, clock, firstPollMs } = dependencies;
  const now = clock().getTime();
  const secondsLeft = Math.ceil(((charge.expiresAt?.getTime() ?? 0) - now - aheadMs) / 1000);
  if (charge.qrCode !== null || charge.status !== 'PENDING' || secondsLeft < 1) {
    if (saveResponse) await database.transaction((tx) => saveResponse(tx, charge));
    return charge;
  }
  const qrCode = await codeOf(dependencies, charge, secondsLeft);
  failPoint('charge.registered');
  const registration = { qrCode, dueAt: new Date(now + Math.min(firstPollMs, secondsLeft * 1000)) };
  if (!saveResponse) return setQrCode(database, charge, registration);
  return database.transaction(async (tx) => {
    const registered = await setQrCode(tx, charge, registration);
    await saveResponse(tx, registered);
    return registered;
  });
}

async function codeOf(dependencies: RegisterCharge, charge: Charge, secondsLeft: number): Promise<string> {
  const { database, pix, stops, clock, log, registrationGraceMs } = dependencies;
  const provider = pix(charge);
  try {
    return await provider.register(charge, secondsLeft, stops.gate(subjectOf('charges', charge)));
  } catch (error) {
    const dueAt = new Date(clock().getTime() + registrationGraceMs);
    await recordUnanswered(database, charge.id, dueAt).catch((err) =>
      log.warn(
        { err, chargeId: charge.id },
        'failed registration not recorded; the scheduler finds it later',
      ),
    );
    throw error;
  }
}
