import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import {
  createSigner,
  createVerifier,
  IDENTITY_HEADER,
  startHttpServer,
  trustedKeys,
} from '@plataforma/http';
import { newId } from '@plataforma/kernel';
import { auditLogChain, outboxSeals, sharedTables, writeAudit } from '@plataforma/tables';
import { newKeyPair } from '@plataforma/testing';
import { openTestDatabase, silent } from '@plataforma/testing/world';
import { z } from 'zod';
import { chainRoutes } from '../src/index.ts';

const [gateway, charges] = [newKeyPair(), newKeyPair()];
const keys = JSON.stringify({ gateway: gateway.publicKey, charges: charges.publicKey });
const signers = {
  gateway: createSigner('gateway', gateway.privateKey),
  charges: createSigner('charges', charges.privateKey),
};

let database: Database;
let server: Awaited<ReturnType<typeof startHttpServer>>;

beforeAll(async () => {
  ({ database } = await openTestDatabase([sharedTables, outboxSeals]));
  server = await startHttpServer({
    connectionLimit: null,
    ...{ log: silent, host: '127.0.0.1', port: 0, needs: {} },
    mount: (app) =>
      chainRoutes(app, {
        ...{ database, verifier: createVerifier('ledger', trustedKeys.parse(keys)), chains: [auditLogChain] },
      }),
  });
  for (const reason of ['1', '2', '3'])
    await database.transaction((tx) =>
      writeAudit(tx, {
        ...{ operatorId: newId(), action: 'ledger.adjust', subjectId: newId(), reason },
        ...{ before: {}, after: {} },
      }),
    );
});
afterAll(async () => {
  await server.stop();
  await database.close();
});

const read = z.object({ data: z.unknown().optional() });

async function ask(
  path: string,
  { as = 'gateway', body }: { as?: 'gateway' | 'charges' | null; body?: object } = {},
) {
  const identity = as ? { [IDENTITY_HEADER]: signers[as].sign({ kind: 'service' }, 'ledger') } : {};
  const answer = await fetch(`${server.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...identity, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data } = read.parse(await answer.json());
  return { status: answer.status, data };
}

const page = z.object({ anchors: z.array(z.unknown()), next: z.string().nullable() });

const epochNow = () => database.query('SELECT epoch FROM chain_heads');

test('only the gateway may call the chain routes', async () => {
  const calls: [string, { body?: object }][] = [
    ['/internal/chain-anchors?service=charges&chain=audit&epoch=1', {}],
    ['/internal/chains/audit/verify?limit=10', {}],
    ['/internal/chains/audit/heads?at=1,3', {}],
    ['/internal/chains/audit/epoch', { body: { epoch: 1 } }],
  ];
  for (const [path, sent] of calls) {
    expect(await ask(path, sent)).toMatchObject({ status: 200 });
    for (const as of ['charges', null] as const)
      expect(await ask(path, { ...sent, as })).toMatchObject({ status: 401 });
  }
});

test('the heads of a chain are returned at the requested places', async () => {
  const { data } = await ask('/internal/chains/audit/heads?at=3,1,9');

  expect(data).toMatchObject([
    { sequence: 1 },
    { sequence: 3, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ]);
  expect(await ask('/internal/chains/audit/heads?at=1,x')).toMatchObject({ status: 400 });
});

test('stored heads are returned in pages for a chain and epoch', async () => {
  await database.query(
    `INSERT INTO chain_anchors (service, chain, epoch, sequence, hash, at)
    SELECT 'charges', 'audit', epoch, sequence, 'h' || sequence, now()
    FROM generate_series(1, 2) AS epoch, generate_series(1, 2500) AS sequence`,
  );
  // Place 2,000, the last place of the first page, has a second hash. This hash must be on the next page.
  await database.query(
    `INSERT INTO chain_anchors (service, chain, epoch, sequence, hash, at)
    VALUES ('charges', 'audit', 2, 2000, 'z', now())`,
  );
  const path = '/internal/chain-anchors?service=charges&chain=audit&epoch=2';
  const first = page.parse((await ask(path)).data);
  const rest = page.parse((await ask(`${path}&after=${first.next}`)).data);

  expect([first.anchors.length, first.next, rest.anchors.length, rest.next]).toEqual([
    2_000,
    '2000:h2000',
    501,
    null,
  ]);
});

test('an epoch only counts up', async () => {
  for (const epoch of [3, 2])
    expect(await ask('/internal/chains/audit/epoch', { body: { epoch } })).toMatchObject({
      data: { epoch: 3 },
    });

  expect(await epochNow()).toEqual([{ epoch: 3 }]);
});
