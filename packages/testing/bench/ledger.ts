import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform } from '@plataforma/local';
import amqp from 'amqplib';
import pg from 'pg';
import { asOneStatement, asTransactions, type Payment } from './hand-written-books.ts';

const PAYMENTS = 20_000;
/** Not counted: they compile the code they run through. */
const WARM_UP = 4_000;
const MERCHANTS = 1_000;
const QUEUE = 'ledger.events';

/**
 * Paid charges credited per second by the ledger as it runs, from its queue, beside the same rows in the same tables
 * written by hand: a set-based statement a batch, which is as fast as it gets, and a transaction a payment, as it is
 * usually done.
 */
export async function ledger(platform: Platform): Promise<string[]> {
  const books = new pg.Client({ connectionString: platform.databaseUrls.ledger });
  await books.connect();
  const hot = [randomUUID()];
  const many = Array.from({ length: MERCHANTS }, () => randomUUID());
  const figures = [];
  for (const [name, merchants] of [
    ['one hot merchant', hot],
    [`${MERCHANTS} merchants`, many],
  ] as const) {
    const ours = await asTheLedger(platform, books, merchants);
    const limit = await asOneStatement(platform.databaseUrls.ledger, paymentsOf(fresh(merchants), PAYMENTS));
    const usual = await asTransactions(
      platform.databaseUrls.ledger,
      paymentsOf(fresh(merchants), PAYMENTS / 4),
    );
    figures.push(
      `  ${name.padEnd(16)}  ledger ${rate(ours)}   limit ${rate(limit)}   usual ${rate(usual)}` +
        `   ${(ours / limit).toFixed(2)} of the limit, ${(ours / usual).toFixed(1)} × the usual`,
    );
  }
  await books.end();
  return [
    `Paid charges credited, ${PAYMENTS} each   (aim: 0.7 of the limit; 8 × the usual on the hot merchant)`,
    ...figures,
  ];
}

const rate = (perSecond: number) => `${perSecond.toFixed(0)}/s`.padStart(8);
const fresh = (merchants: readonly string[]) => merchants.map(() => randomUUID());

function paymentsOf(merchants: readonly string[], count: number): Payment[] {
  return Array.from({ length: count }, (_, n) => ({
    eventId: randomUUID(),
    chargeId: randomUUID(),
    merchantId: merchants[n % merchants.length] ?? '',
  }));
}

/** Fills the queue while nobody reads it, then lets the ledger run; the database's clock says how long it took. */
async function asTheLedger(
  { services, facts }: Platform,
  books: pg.Client,
  merchants: readonly string[],
): Promise<number> {
  await services.ledger.stop();
  const warmUp = fresh(merchants);
  await fill(facts.rabbitmq.url, [...paymentsOf(warmUp, WARM_UP), ...paymentsOf(merchants, PAYMENTS)]);
  await services.ledger.start();
  for (;;) {
    const { rows } = await books.query<{ count: number; seconds: number }>(
      `SELECT count(*)::integer AS count,
         extract(epoch FROM max(created_at) - min(created_at))::double precision AS seconds
       FROM wallet_transactions WHERE merchant_id = ANY ($1::uuid[]) AND type = 'CREDIT'`,
      [merchants],
    );
    const [{ count, seconds } = { count: 0, seconds: 0 }] = rows;
    if (count === PAYMENTS) return PAYMENTS / seconds;
    await sleep(500);
  }
}

async function fill(brokerUrl: string, payments: readonly Payment[]): Promise<void> {
  const connection = await amqp.connect(brokerUrl);
  const channel = await connection.createConfirmChannel();
  for (const [index, payment] of payments.entries()) {
    channel.sendToQueue(QUEUE, Buffer.from(JSON.stringify(eventOf(payment, index))), { persistent: true });
    if (index % 1_000 === 999) await channel.waitForConfirms();
  }
  await channel.waitForConfirms();
  await connection.close();
}

function eventOf({ eventId, chargeId, merchantId }: Payment, index: number) {
  const at = new Date().toISOString();
  const money = { amount: 2_500, feeAmount: 25, netAmount: 2_475 };
  const about = { id: chargeId, txid: chargeId.replaceAll('-', ''), externalId: `pedido-${index}` };
  return {
    ...{ id: eventId, type: 'charge.paid', version: 1, occurredAt: at, merchantId, environment: 'sandbox' },
    ...{ aggregateId: chargeId, sequence: 1, traceparent: null },
    data: { ...about, ...money, paymentMethod: 'PIX', status: 'PAID', paidAt: at, settlesAt: null },
  };
}
