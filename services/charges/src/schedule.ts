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
  /** How long the clock waits between two looks. */
  everyMs: number;
  /** For how long nobody else looks at a charge, and how long it rests after it could not be settled. */
  leaseMs: number;
}

const BATCH_SIZE = 50;

/** What the clock calls: charges past their time expire, and those left without a code get one. */
export function startSchedule(parts: Schedule): { stop(): Promise<void> } {
  const { database, pix, log, clock, everyMs, leaseMs } = parts;
  let isStopped = false;

  async function look(charge: Charge, now: Date): Promise<void> {
    try {
      if (charge.expiresAt <= now) await expireCharge({ database, pix, log }, charge);
      else await registerCharge({ database, provider: pix(charge.environment), clock }, charge);
    } catch (error) {
      log.warn(
        { err: error, chargeId: charge.id },
        'a due charge could not be settled; it will be looked at again',
      );
    }
  }

  async function lookAtDue(): Promise<void> {
    while (!isStopped) {
      const now = clock();
      const due = await claimDueCharges(database, { now, leaseMs, limit: BATCH_SIZE });
      await Promise.all(due.map((charge) => look(charge, now)));
      if (due.length < BATCH_SIZE) return;
    }
  }

  const running = every({ everyMs, log, name: 'due charges', work: lookAtDue });
  return {
    stop() {
      isStopped = true;
      return running.stop();
    },
  };
}
