import { type Database, every, type Log } from '@plataforma/chassis';
import type { Clock } from '@plataforma/kernel';
import type { Charge } from './domain/charge.ts';
import { expireCharge } from './operations/expire-charge.ts';
import { registerCharge } from './operations/register-charge.ts';
import type { PixProviders } from './pix/providers.ts';
import { claimDueCharges } from './store/charges.ts';

interface Schedule {
  database: Database;
  pix: PixProviders;
  log: Log;
  clock: Clock;
}

const INTERVAL_MS = 500;
const LEASE_MS = 30_000;
const BATCH_SIZE = 50;

/** What the clock calls: charges past their time expire, and those left without a code get one. */
export function startSchedule({ database, pix, log, clock }: Schedule): { stop(): Promise<void> } {
  async function look(charge: Charge, now: Date): Promise<void> {
    try {
      if (charge.expiresAt <= now) await expireCharge({ database, pix, log }, charge);
      else await registerCharge({ database, provider: pix(charge.environment) }, charge);
    } catch (error) {
      log.warn(
        { err: error, chargeId: charge.id },
        'a due charge could not be settled; it will be looked at again',
      );
    }
  }

  async function lookAtDue(): Promise<void> {
    for (;;) {
      const now = clock();
      const due = await claimDueCharges(database, { now, leaseMs: LEASE_MS, limit: BATCH_SIZE });
      await Promise.all(due.map((charge) => look(charge, now)));
      if (due.length < BATCH_SIZE) return;
    }
  }

  return every({ everyMs: INTERVAL_MS, log, name: 'due charges', work: lookAtDue });
}
