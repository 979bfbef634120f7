import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { eventually, freePort } from '@plataforma/testing';
import { CARDS, startBank } from './bank.ts';
import { askForToken, callCards, card, cardOrder, orderBody, tokenize } from './cards.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const TABLES = `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`;

test('card numbers, security codes and names are never stored or logged', async () => {
  const bank = await startBank();
  const [PORT, CONTROL_PORT] = [String(await freePort(null)), String(await freePort(null))];
  const url = `http://127.0.0.1:${PORT}`;
  const env = { ...bank.env, PORT, CONTROL_PORT, PUBLIC_URL: url, LOG_LEVEL: 'debug' };
  const logged: string[] = [];
  const other = spawn(process.execPath, [MAIN], { env, stdio: 'pipe' });
  for (const stream of [other.stdout, other.stderr]) stream.on('data', (chunk) => logged.push(String(chunk)));
  await eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200));

  const validCard = card('4242424242424242');
  const body = orderBody(await tokenize({ url }, validCard.number));
  cardOrder.parse((await callCards({ url }, 'POST /orders', { key: body.code, body })).body);
  await askForToken(url, { type: 'card', card: { ...validCard, exp_year: 20 } });
  await askForToken(url, { type: 'card', card: { ...validCard, cvv: 'x' } });
  await askForToken(url, { type: 'card', card: card('4539578763621486') });
  await fetch(`${url}/core/v5/tokens?appId=${CARDS.publicKey}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"number": "${validCard.number}`,
  });
  other.kill('SIGTERM');
  await once(other, 'exit');

  const tables = await bank.database.query<{ name: string }>(TABLES);
  const rows = await Promise.all(
    tables.map(({ name }) =>
      bank.database.queryUnprepared(`SELECT to_json(t)::text AS row FROM ${name} t`, []),
    ),
  );
  const everything = [...logged, JSON.stringify(rows)].join('\n');
  expect(logged.join('')).toContain('/core/v5/tokens');
  expect(JSON.stringify(rows)).toContain(body.code);
  for (const secret of [
    validCard.number,
    '4539578763621486',
    '"987"',
    ' 987',
    validCard.holder_name,
    'Maria da Silva',
  ]) {
    expect(everything).not.toContain(secret);
  }
  await bank.close();
});
