import { randomUUID } from 'node:crypto';
import {
  createSigner,
  ORDER_HEADER,
  ORDERED_BODY_HEADER,
  orderSecrets,
  signOrder,
  tokenKey,
  tokenSigningKey,
} from '@plataforma/http';
import type { Platform } from '@plataforma/local';
import { withDatabase } from '@plataforma/testing';
import { type Figures, microseconds } from './figures.ts';
import { dataOf, httpTo } from './http.ts';
import { atPace, spread } from './measure.ts';
import { timeSpent } from './process-use.ts';
import type { Workbench } from './run.ts';

const PER_SECOND = 200;
const SECONDS = 20;
const WARM_UP_SECONDS = 3;
const MERCHANTS = 100;

/** Measures synchronous debits: the withdrawals service calls the ledger at a steady rate. */
export async function debits(bench: Workbench<Platform>): Promise<Figures> {
  const { services, keys, databaseUrls } = await bench.platform();
  const signer = createSigner('withdrawals', keys.withdrawals.privateKey);
  const gateway = tokenSigningKey(keys.gateway.privateKey);
  const secrets = orderSecrets(gateway.key, [tokenKey(keys.ledger.publicKey)]);
  const merchants = Array.from({ length: MERCHANTS }, () => randomUUID());
  await enrich(databaseUrls.ledger, merchants);
  const ledger = httpTo(bench, services.ledger.url, { connections: 64 });

  async function debit(merchantId: string): Promise<number> {
    const body = {
      ...{ id: randomUUID(), merchantId, environment: 'sandbox', netAmount: 1_000, fee: 100, method: 'PIX' },
      occurredAt: new Date().toISOString(),
    };
    const ordered = Buffer.from(JSON.stringify({ amount: 1_100, pixKey: body.id, pixKeyType: 'EVP' }));
    const order = { id: body.id, path: '/v1/withdrawals', actor: `key:${body.id}`, at: new Date() };
    const tenant = { merchantId, environment: 'sandbox' } as const;
    const headers = {
      'x-internal-identity': signer.sign({ kind: 'service' }, 'ledger'),
      [ORDER_HEADER]: signOrder(gateway, { ...order, tenant }, ordered, secrets),
      [ORDERED_BODY_HEADER]: ordered.toString('base64url'),
    };
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
  const during = (seconds: number, pick: (n: number) => string) =>
    atPace({ perSecond: PER_SECOND, count: seconds * PER_SECOND }, (n) => debit(pick(n)));

  const hot = () => merchants[0] ?? '';
  const any = (n: number) => merchants[n % MERCHANTS] ?? '';
  await during(WARM_UP_SECONDS, any);
  const spent = () => withDatabase(databaseUrls.ledger, (client) => timeSpent(services.ledger.pid, client));
  const before = await spent();
  const ofHot = await during(SECONDS, hot);
  const ofMany = await during(SECONDS, any);
  const after = await spent();
  const each = (us: number) => microseconds(us / (ofHot.length + ofMany.length));
  return {
    about: `Debits of withdrawals at the ledger, ${PER_SECOND} a second for ${SECONDS} s each.`,
    rows: [
      { what: 'one hot merchant', ...spread(ofHot) },
      { what: `${MERCHANTS} merchants`, ...spread(ofMany) },
      { what: 'processor time of a debit, the ledger', value: each(after.processUs - before.processUs) },
      { what: 'the same, its database connections', value: each(after.databaseUs - before.databaseUs) },
    ],
  };
}

async function enrich(url: string, merchants: readonly string[]): Promise<void> {
  await withDatabase(url, async (client) => {
    await client.query('SET session_replication_role = replica');
    await client.query(
      `INSERT INTO wallets (merchant_id, environment, available_pix_cents, total_earned_cents)
       SELECT unnest($1::uuid[]), 'sandbox', 1000000000000, 1000000000000`,
      [merchants],
    );
  });
}
