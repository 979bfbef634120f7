import type { Database, Transaction } from '@plataforma/data';
import type { Clock } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { aheadOf, type Stops } from '@plataforma/service';
import type { Charge } from '../domain/charge.ts';
import { subjectOf } from '../domain/held.ts';
import { failPoint } from '../fail-points.ts';
import type { PixClient } from '../pix/pix-client.ts';
import { noteUnanswered, setQrCode } from '../store/new-charges.ts';

export interface RegisterCharge {
  database: Database;
  provider: PixClient;
  stops: Stops;
  clock: Clock;
  log: Log;
  /** When an unpaid charge is first asked about without any notice, and one whose caller's process died gets its code. */
  firstPollMs: number;
  /** How long after a registration that failed the clock leaves the charge to its caller. */
  registrationGraceMs: number;
}

/**
 * Gives a charge its code. The provider knows it by our txid, so that doing this twice is doing it once. It
 * counts the time to pay from when it hears of the charge: a late registration must not outlive the charge.
 * `keep` remembers what the charge is after that, in the same transaction.
 */
export async function registerCharge(
  parts: RegisterCharge,
  charge: Charge,
  keep: ((tx: Transaction, as: Charge) => Promise<void>) | null = null,
): Promise<Charge> {
  const { database, clock, firstPollMs } = parts;
  const now = clock().getTime();
  const time = now + (await aheadOf(database, charge));
  const secondsLeft = Math.ceil(((charge.expiresAt?.getTime() ?? 0) - time) / 1000);
  if (charge.qrCode !== null || charge.status !== 'PENDING' || secondsLeft < 1) {
    if (keep) await database.transaction((tx) => keep(tx, charge));
    return charge;
  }
  const qrCode = await codeOf(parts, charge, secondsLeft);
  failPoint('charge.registered');
  const known = { qrCode, nextCheckAt: new Date(now + Math.min(firstPollMs, secondsLeft * 1000)) };
  if (!keep) return setQrCode(database, charge, known);
  return database.transaction(async (tx) => {
    const registered = await setQrCode(tx, charge, known);
    await keep(tx, registered);
    return registered;
  });
}

async function codeOf(parts: RegisterCharge, charge: Charge, secondsLeft: number): Promise<string> {
  const { database, provider, stops, clock, log, registrationGraceMs } = parts;
  try {
    return await provider.register(charge, secondsLeft, stops.gate(subjectOf('charges', charge)));
  } catch (error) {
    const dueAt = new Date(clock().getTime() + registrationGraceMs);
    await noteUnanswered(database, charge.id, dueAt).catch((err) =>
      log.warn(
        { err, chargeId: charge.id },
        'a registration that failed is not noted; the clock finds it later',
      ),
    );
    throw error;
  }
}
