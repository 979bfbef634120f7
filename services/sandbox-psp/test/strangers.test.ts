import { afterEach, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { SANDBOX_MERCHANT } from '@plataforma/service';
import { eventually } from '@plataforma/testing';
import { openConnections } from '@plataforma/testing/fixtures';
import { control, createCharge, newTxid, order, ownBank, send, startBank, times } from './bank.ts';
import { tokenize } from './cards.ts';

const bank = ownBank();
const READERS = 100;

let release: (() => Promise<void>) | undefined;
afterEach(() => release?.());

/** Locks a table until the test calls `release`. Other statements on the table wait meanwhile. */
async function lockTable(name: 'charges' | 'card_tokens'): Promise<void> {
  const locked = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const transaction = bank.database.transaction(async (tx) => {
    await tx.query(`LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE`);
    locked.resolve();
    await over.promise;
  });
  release = async () => {
    release = undefined;
    over.resolve();
    await transaction;
  };
  await locked.promise;
}

/** Waits until at least one statement waits for a locked table. */
const someWait = () =>
  eventually(async () => {
    const [row] = await bank.database.query<{ waiting: number }>(
      `SELECT count(*)::integer AS waiting FROM pg_locks JOIN pg_database
        ON pg_database.oid = pg_locks.database
       WHERE NOT granted AND datname = current_database()`,
    );
    expect(row?.waiting).toBeGreaterThanOrEqual(3);
  });

test('blocked reads of Pix codes do not delay platform calls', async () => {
  const { location } = await createCharge(bank);
  await lockTable('charges');
  const reads = times(READERS).map(() => send(`http://${location}`, {}));
  await someWait();

  const answers = await Promise.all(
    times(10).map(() => bank.call('GET', `/v2/gn/pix/enviados/id-envio/${newTxid()}`)),
  );

  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(404));
  await release?.();
  await Promise.all(reads);
  expect((await send(`http://${location}`, {})).status).toBe(200);
});

test('blocked card tokenizations do not delay platform calls', async () => {
  await lockTable('card_tokens');
  const tokens = times(READERS).map(() => tokenize(bank).catch(() => undefined));
  await someWait();

  const answers = await Promise.all(times(10).map(() => bank.call('PUT', `/v2/cob/${newTxid()}`, order)));

  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
  await release?.();
  await Promise.all(tokens);
  expect(await tokenize(bank)).toMatch(/^token_/);
});

test('reads beyond the waiting limit are refused', async () => {
  const { location } = await createCharge(bank);
  await lockTable('charges');
  const reads = times(300).map(() => send(`http://${location}`, {}));

  const refused = await Promise.any(
    reads.map(async (read) => {
      const answer = await read;
      expect(answer.status).toBe(503);
      return answer;
    }),
  );

  expect(refused.body).toMatchObject({ title: 'Serviço indisponível', status: 503 });
  await release?.();
  await Promise.all(reads);
});

test('a call without credentials uses up no ordered fault', async () => {
  await control(bank, 'faults', { operation: 'pix.create', fault: 'error500', times: 1 });
  const path = `/v2/cob/${newTxid()}`;

  const stranger = await send(bank.url + path, { method: 'PUT' }, order);
  const own = await bank.call('PUT', path, order);

  expect([stranger.status, own.status]).toEqual([401, 500]);
});

test('a call without credentials gets 401 in spite of provider faults', async () => {
  const merchantId = newId();
  await control(bank, `weather/${merchantId}`, { pix: 'down' });

  const headers = { [SANDBOX_MERCHANT]: merchantId };
  const stranger = await send(`${bank.url}/v2/cob/${newTxid()}`, { headers });

  expect(stranger.status).toBe(401);
});

test.each([
  '/core/v5/tokens',
  '/core/v5/orders',
  `/v2/cob/${'a'.repeat(26)}`,
  '/v2/pix/x/devolucao/1',
  '/v2/gn/pix/1',
])('a deep body of a stranger is not parsed at %s', async (path) => {
  const body = '['.repeat(50_000) + ']'.repeat(50_000);
  const method = path.startsWith('/core') ? 'POST' : 'PUT';
  const answer = await send(`${bank.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body,
  });

  // If the provider parsed the body, it would refuse the missing credentials instead.
  expect(answer.status).toBe(400);
});

test('one address gets at most its limit of connections', async () => {
  const bank = await startBank({ CONNECTIONS_PER_ADDRESS: '10' });

  const connections = await openConnections(bank.url, 30);

  const stillOpen = connections.filter(({ isOpen }) => isOpen).length;
  // The count may be 9, because a connection of the test's HTTP client may take one of the ten.
  expect([9, 10]).toContain(stillOpen);
  for (const { socket } of connections) socket.destroy();
  await bank.close();
});
