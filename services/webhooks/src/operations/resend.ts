import type { Resent } from '@plataforma/contracts';
import type { Database, Transaction } from '@plataforma/data';
import { Refusal, requireNext, type Tenant } from '@plataforma/kernel';
import { noSuchConfiguration } from '../domain/configuration.ts';
import { DELIVERIES_SIGNAL, deliveryTransitions, noSuchDelivery } from '../domain/delivery.ts';
import { lockConfiguration } from '../store/configurations.ts';
import { findDelivery, type ListedDelivery } from '../store/delivery-lists.ts';
import { lockFailed, lockResendable, type ResendableDelivery, saveResent } from '../store/resends.ts';

/** No further attempt is possible after this number, so that a delivery has a bounded history. */
const MAX_ATTEMPTS = 50;
/** The maximum number of deliveries of one request. */
const MAX_RESENT = 1_000;

interface Resend<Outcome> {
  database: Database;
  saveResponse: (tx: Transaction, outcome: Outcome) => Promise<void>;
}

/**
 * Plans one more attempt of a delivery at once. An ended delivery keeps its status if the attempt fails. A
 * waiting delivery continues with its schedule.
 */
export async function resendDelivery(
  { database, saveResponse }: Resend<ListedDelivery>,
  tenant: Tenant,
  id: string,
): Promise<ListedDelivery> {
  const found = await findDelivery(database, tenant, id);
  if (!found) throw noSuchDelivery();
  return database.transaction(async (tx) => {
    const { configurationId } = found;
    await lockActive(tx, tenant, configurationId, 'the webhook of this delivery is deleted');
    const delivery = await lockResendable(tx, tenant, { id, configurationId });
    if (!delivery) throw noSuchDelivery();
    requireResendable(delivery);
    const status = requireNext(deliveryTransitions, { noun: 'delivery', status: delivery.status }, 'resend');
    await saveResent(tx, [delivery], status);
    const resent = await findDelivery(tx, tenant, id);
    if (!resent) throw noSuchDelivery();
    await saveResponse(tx, resent);
    tx.signalAfterCommit(DELIVERIES_SIGNAL);
    return resent;
  });
}

/**
 * Plans one more attempt of each of the MAX_RESENT oldest failed deliveries of a configuration. Skips
 * deliveries without a valid seal, and those that another request has locked.
 */
export async function resendFailed(
  { database, saveResponse }: Resend<Resent>,
  tenant: Tenant,
  { id: configurationId, since }: { id: string; since: Date },
): Promise<Resent> {
  return database.transaction(async (tx) => {
    await lockActive(tx, tenant, configurationId);
    const failed = await lockFailed(tx, tenant, {
      ...{ configurationId, since, maxAttempts: MAX_ATTEMPTS, limit: MAX_RESENT },
    });
    const deliveries = failed.filter(({ isTrusted }) => isTrusted);
    const status = requireNext(deliveryTransitions, { noun: 'delivery', status: 'FAILED' }, 'resend');
    await saveResent(tx, deliveries, status);
    const last = failed.length === MAX_RESENT ? failed.at(-1) : undefined;
    const resent = { resent: deliveries.length, nextSince: last?.createdAt.toISOString() ?? null };
    await saveResponse(tx, resent);
    tx.signalAfterCommit(DELIVERIES_SIGNAL);
    return resent;
  });
}

/** Locks an active configuration, so that it stays active until the commit. */
async function lockActive(tx: Transaction, tenant: Tenant, id: string, deleted?: string): Promise<void> {
  const locked = await lockConfiguration(tx, tenant, id);
  if (!locked) throw deleted === undefined ? noSuchConfiguration() : invalidState(deleted);
  if (!locked.configuration.isActive) throw invalidState('the webhook configuration is not active');
}

function requireResendable({ isTrusted, isLeased, attempts }: ResendableDelivery): void {
  if (!isTrusted) throw invalidState('this delivery has no valid seal, so it cannot be sent again');
  if (isLeased) throw invalidState('an attempt of this delivery is running; wait for its result');
  if (attempts >= MAX_ATTEMPTS) throw invalidState(`this delivery has had ${MAX_ATTEMPTS} attempts`);
}

function invalidState(message: string): Refusal {
  return new Refusal('conflict', 'INVALID_STATE', message);
}
