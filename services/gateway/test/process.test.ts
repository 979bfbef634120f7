import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually, freePort, type OperatorLogin } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { type Answered, send, sendLogIn } from './support/send.ts';
import { OPERATOR, registration, startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);
const login: OperatorLogin = { ...OPERATOR };

/** Sends the typical first requests of a new merchant, some of which fail. */
async function live(url: string, canaries: ReturnType<typeof registration>): Promise<Answered[]> {
  const answers: Answered[] = [];
  const call = async (path: string, body: unknown, headers = {}) => {
    const answer = await send(`${url}${path}`, { method: 'POST', body, headers });
    answers.push(answer);
    return JSON.parse(JSON.stringify(answer.json.data ?? {}));
  };
  await call('/v1/auth/register', canaries);
  await call('/v1/auth/register', canaries);
  await call('/v1/auth/register', { ...canaries, cnpj: registration().cnpj });
  await call('/v1/auth/login', { ...canaries, password: `${canaries.password}x` });
  const { accessToken, refreshToken } = await call('/v1/auth/login', canaries);
  await call('/v1/auth/refresh', { refreshToken });
  const bearer = { authorization: `Bearer ${accessToken}` };
  const { id, key } = await call('/v1/api-keys', { name: 'loja', environment: 'sandbox' }, bearer);
  await call('/v1/charges', { payerDocument: canaries.cnpj }, { 'x-api-key': key });
  await call(`/v1/api-keys/${id}/rotate`, { gracePeriodSeconds: 60 }, bearer);
  await call(`/callbacks/pix/${canaries.password}`, { pix: [] });
  await world.services.charges.down();
  await call('/v1/charges', { payerDocument: canaries.cnpj }, { 'x-api-key': key });
  await world.services.charges.up();
  const operator = await sendLogIn(async (body) => {
    const answer = await send(`${url}/v1/admin/auth/login`, { method: 'POST', body });
    answers.push(answer);
    return answer;
  }, login);
  const colleague = { email: canaries.email, password: canaries.password, role: 'SUPPORT' };
  const asOperator = { authorization: `Bearer ${Object(operator.json.data).accessToken}` };
  await call('/v1/admin/operators', colleague, { ...asOperator, 'idempotency-key': 'colega' });
  await call('/v1/admin/operators', colleague, asOperator);
  return [...answers, await send(`${url}/v1/account?email=${canaries.email}`, { headers: bearer })];
}

test('a gateway process logs requests without secrets and stops in order', async () => {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const PORT = String(await freePort(null));
  const env = { ...world.env, PATH: process.env.PATH, PORT, LOG_LEVEL: 'debug' };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(String(chunk)));
  const ended = once(child, 'close');
  const url = `http://127.0.0.1:${PORT}`;
  const canaries = { ...registration(), password: `canary-${newId()}`, companyName: `Canario ${newId()}` };
  await eventually(async () => expect((await send(`${url}/healthz`)).status).toBe(200));

  const answers = await live(url, canaries);
  child.kill('SIGTERM');

  expect(await ended).toEqual([0, null]);
  const text = output.join('');
  const lines = text.trim().split('\n');
  const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  expect(requests.map(({ status }) => status)).toEqual(answers.map(({ status }) => status));
  expect(answers.map(({ status }) => status)).toEqual([
    201, 409, 409, 401, 200, 200, 201, 200, 201, 200, 503, 401, 200, 201, 409, 400,
  ]);
  for (const secret of [
    ...Object.values(canaries),
    OPERATOR.password,
    OPERATOR.email,
    `${login.totpSecret}`,
  ]) {
    expect(text).not.toContain(secret);
  }
  expect(text).not.toMatch(/eyJ|sk_sandbox_[0-9A-Za-z]|\$argon2/);
});
