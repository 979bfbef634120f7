import { randomUUID } from 'node:crypto';
import { newId } from '@plataforma/kernel';
import { eventually, type Platform } from '@plataforma/local';
import { withDatabase } from '@plataforma/testing';
import { fillQueue, type Line, openLine } from './connections.ts';
import { atLeast, counted, type Figures, perSecond, type Row, times } from './figures.ts';
import { asOneStatement, type Payment } from './hand-written-books.ts';
import { paidEvent } from './paid-event.ts';
import type { Workbench } from './run.ts';

const PAYMENTS = 20_000;
/** The first payments do not count, because Node compiles the code during them. */
const WARM_UP = 4_000;
const MERCHANTS = 1_000;
const QUEUE = 'ledger.events';
/** The time limit. It suffices even at a tenth of the usual rate. */
const CREDITED_WITHIN_MS = 300_000;

/**
 * Measures how many paid charges per second the ledger credits from its queue. It compares the ledger with
 * the fastest way to write the same rows: one SQL statement for each batch.
 */
export async function ledger(bench: Workbench<Platform>): Promise<Figures> {
  const platform = await bench.platform();
  const line = await openLine(bench, platform);
  const hot = await compared({ platform, line }, [randomUUID()]);
  const many = await compared(
    { platform, line },
    Array.from({ length: MERCHANTS }, () => randomUUID()),
  );
  return {
    about:
      `Paid charges that the ledger credits from its queue, ${counted(PAYMENTS)} each. The comparison ` +
      'writes the same rows into the same tables with one set-based statement for each 200 charges, ' +
      'the fastest way.',
    rows: [...rowsOf('one hot merchant', hot), ...rowsOf(`${counted(MERCHANTS)} merchants`, many)],
  };
}

interface Rates {
  ours: number;
  limit: number;
}

async function compared(setup: LedgerSetup, merchants: readonly string[]): Promise<Rates> {
  const url = setup.platform.databaseUrls.ledger;
  return {
    ours: await asTheLedger(setup, merchants),
    limit: await asOneStatement(url, paymentsOf(fresh(merchants), PAYMENTS)),
  };
}

function rowsOf(whose: string, { ours, limit }: Rates): Row[] {
  const share = times(ours / limit);
  return [
    { what: `${whose}: the ledger`, value: perSecond(ours) },
    { what: `${whose}: one statement for each batch`, value: perSecond(limit) },
    { what: `${whose}: ledger to one statement`, value: share, aim: atLeast(share, 0.7) },
  ];
}

const fresh = (merchants: readonly string[]) => merchants.map(() => randomUUID());

function paymentsOf(merchants: readonly string[], count: number): Payment[] {
  return Array.from({ length: count }, (_, n) => ({
    eventId: newId(),
    chargeId: randomUUID(),
    merchantId: merchants[n % merchants.length] ?? '',
  }));
}

interface LedgerSetup {
  platform: Platform;
  line: Line;
}

const CREDITED = `SELECT count(*)::integer AS count,
    extract(epoch FROM max(created_at) - min(created_at))::double precision AS seconds
  FROM wallet_transactions WHERE merchant_id = ANY ($1::uuid[]) AND type = 'CREDIT'`;

/**
 * Stops the ledger, fills its queue and starts the ledger again. Calculates the rate from the database's
 * timestamps.
 */
async function asTheLedger({ platform, line }: LedgerSetup, merchants: readonly string[]): Promise<number> {
  const { services, databaseUrls } = platform;
  await services.ledger.stop();
  const payments = [...paymentsOf(fresh(merchants), WARM_UP), ...paymentsOf(merchants, PAYMENTS)];
  const message = (n: number) => paidEvent(payments[n] ?? { merchantId: '' });
  await fillQueue(line, { queue: QUEUE, count: payments.length, message });
  await services.ledger.start();
  return withDatabase(databaseUrls.ledger, (books) =>
    eventually(
      async () => {
        const { rows } = await books.query<{ count: number; seconds: number }>(CREDITED, [merchants]);
        const [{ count, seconds } = { count: 0, seconds: 0 }] = rows;
        if (count !== PAYMENTS) throw new Error(`the ledger has credited ${count} of ${PAYMENTS} payments`);
        return PAYMENTS / seconds;
      },
      { timeoutMs: CREDITED_WITHIN_MS, intervalMs: 500 },
    ),
  );
}
