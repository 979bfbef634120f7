import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSigner } from '@plataforma/chassis';
import type { Platform } from '@plataforma/local';
import pg from 'pg';
import { dataOf, httpTo } from './http.ts';
import { spread } from './measure.ts';

const PER_SECOND = 200;
const SECONDS = 20;
const WARM_UP_SECONDS = 3;
const MERCHANTS = 100;

/** The ledger's synchronous debit, as the withdrawals service asks for it, at a steady pace. */
export async function debits(platform: Platform): Promise<string[]> {
  const { url } = platform.services.ledger;
  const signer = createSigner('withdrawals', platform.keys.withdrawals.privateKey);
  const merchants = Array.from({ length: MERCHANTS }, () => randomUUID());
  await enrich(platform.databaseUrls.ledger, merchants);
  const ledger = httpTo(url, {}, 64);

  async function debit(merchantId: string): Promise<number> {
    const body = {
      ...{ id: randomUUID(), merchantId, environment: 'sandbox', netAmount: 1_000, fee: 100, method: 'PIX' },
      occurredAt: new Date().toISOString(),
    };
    const headers = { 'x-internal-identity': signer.sign({ kind: 'service' }, 'ledger') };
    const startedAt = performance.now();
    const request = {
      method: 'POST',
      path: '/internal/withdrawals',
      body: JSON.stringify(body),
      headers,
    } as const;
    await dataOf(ledger.send(request), 200);
    return performance.now() - startedAt;
  }

  async function during(seconds: number, pick: (n: number) => string): Promise<number[]> {
    const startedAt = performance.now();
    const running: Promise<number>[] = [];
    for (let n = 0; n < seconds * PER_SECOND; n += 1) {
      const due = startedAt + (n * 1000) / PER_SECOND - performance.now();
      if (due > 0) await sleep(due);
      running.push(debit(pick(n)));
    }
    return Promise.all(running);
  }

  const hot = () => merchants[0] ?? '';
  const any = (n: number) => merchants[n % MERCHANTS] ?? '';
  await during(WARM_UP_SECONDS, any);
  const ofHot = await during(SECONDS, hot);
  const ofMany = await during(SECONDS, any);
  await ledger.close();
  return [
    `Debits of withdrawals, ${PER_SECOND}/s for ${SECONDS} s each`,
    `  one hot merchant  ${spread(ofHot)}`,
    `  ${MERCHANTS} merchants     ${spread(ofMany)}`,
  ];
}

/** Wallets with enough to take from; only this benchmark sees them. */
async function enrich(url: string, merchants: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `INSERT INTO wallets (merchant_id, environment, available_pix_cents, total_earned_cents)
     SELECT unnest($1::uuid[]), 'sandbox', 1000000000000, 1000000000000`,
    [merchants],
  );
  await client.end();
}
