import { describe, expect, test } from '@jest/globals';
import { beforeFile, openTestDatabase, worldOfFile } from '@plataforma/testing/world';
import { migrations } from '../migrations/index.ts';
import { startGateway } from '../src/service.ts';
import { auditOf, eventsOf, operatorAs } from './support/operators.ts';
import { sendLogIn } from './support/send.ts';
import { OPERATOR, startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);
const operator = beforeFile(() => world.operator());

const logIn = (email: string, password: string) => world.post('/v1/admin/auth/login', { email, password });
const approve = (id: string, headers = operator) =>
  world.call(`/v1/admin/merchants/${id}/approve`, { method: 'POST', headers });
const list = (query: string, headers = operator) => world.call(`/v1/admin/merchants${query}`, { headers });

describe('an operator', () => {
  test('logs in and gets an access token and a device token', async () => {
    const { login } = await operatorAs(world, 'SUPPORT');
    const { status, json } = await sendLogIn((body) => world.post('/v1/admin/auth/login', body), {
      ...login,
      email: login.email.toUpperCase(),
    });

    expect([status, json]).toEqual([
      200,
      {
        success: true,
        data: {
          accessToken: expect.stringMatching(/^eyJ/),
          refreshToken: expect.stringMatching(/^[\w-]{43}$/),
          deviceToken: expect.stringMatching(/^eyJ/),
        },
      },
    ]);
  });

  test('gets the same refusal for every wrong credential', async () => {
    const wrong = await logIn(OPERATOR.email, 'not the password');
    const unknown = await logIn('nobody@plataforma.test', OPERATOR.password);

    expect([wrong.status, wrong.code]).toEqual([401, 'INVALID_CREDENTIALS']);
    expect(unknown.text).toBe(wrong.text);
  });

  test('cannot log in with a merchant’s password', async () => {
    const merchant = await world.newMerchant();

    expect((await logIn(merchant.email, merchant.password)).code).toBe('INVALID_CREDENTIALS');
  });

  test('comes from the configuration at the first start only', async () => {
    const settings = { OPERATOR_EMAIL: 'second@plataforma.test', OPERATOR_PASSWORD: 'another password' };
    const second = await startGateway({ ...world.env, ...settings });
    await second.stop();

    const operators = await world.database.query("SELECT email FROM operators WHERE role = 'ADMIN'");

    expect(operators).toEqual([{ email: OPERATOR.email }]);
  });

  test('is required in the configuration only for the first start', async () => {
    const { OPERATOR_PASSWORD: _password, ...later } = world.env;
    const empty = await openTestDatabase(migrations);

    await (await startGateway(later)).stop();
    await (await startGateway({ ...later, OPERATOR_PASSWORD: 'short' })).stop();
    const started = startGateway({ ...later, ...empty.env });

    await expect(started).rejects.toThrow('set OPERATOR_EMAIL and OPERATOR_PASSWORD for this start');
    const short = startGateway({ ...later, ...empty.env, OPERATOR_PASSWORD: '12345678901' });
    await expect(short).rejects.toThrow('OPERATOR_PASSWORD: must have at least 12 characters');
    await empty.database.close();
  });
});

describe('an approval', () => {
  test('opens production, is recorded and announced to other services', async () => {
    const merchant = await world.newMerchant();

    const { status, json } = await approve(merchant.id);

    expect(status).toBe(200);
    expect(json.data).toMatchObject({ id: merchant.id, email: merchant.email, status: 'APPROVED' });
    expect(await auditOf(world, merchant.id)).toMatchObject([
      { action: 'merchant.approve', before: { status: 'PENDING' }, after: { status: 'APPROVED' } },
    ]);
    expect(await eventsOf(world, merchant.id)).toMatchObject([
      { type: 'merchant.updated', sequence: 1, data: { version: 1, status: 'PENDING' } },
      { type: 'merchant.updated', sequence: 2, data: { version: 2, status: 'APPROVED' } },
    ]);
    const account = await world.call('/v1/account', { headers: merchant.bearer });
    expect(account.json.data).toMatchObject({ status: 'APPROVED' });
  });

  test('of a CNPJ with wrong check digits needs force', async () => {
    const merchant = await world.newMerchant({ cnpj: '34665388000163' });
    const path = `/v1/admin/merchants/${merchant.id}/approve`;
    const send = (body?: object) => world.call(path, { method: 'POST', body, headers: operator });

    const refused = [await send(), await send({ force: false })];
    const before = await auditOf(world, merchant.id);
    const forced = await send({ force: true });

    expect(refused.map(({ status, code }) => [status, code])).toEqual([
      [422, 'INVALID_CNPJ'],
      [422, 'INVALID_CNPJ'],
    ]);
    expect(refused[0]?.json.error?.message).toContain('send {"force": true}');
    expect([before, forced.status]).toEqual([[], 200]);
    expect(await auditOf(world, merchant.id)).toMatchObject([
      { action: 'merchant.approve', after: { status: 'APPROVED', force: true } },
    ]);
  });

  test('is in the audit log with its operator', async () => {
    const merchant = await world.newMerchant();
    await approve(merchant.id);

    const [row] = await world.database.query(
      'SELECT o.email FROM audit_log a JOIN operators o ON o.id = a.operator_id WHERE a.subject_id = $1',
      [merchant.id],
    );

    expect(row).toEqual({ email: OPERATOR.email });
  });

  test('happens once for concurrent operators', async () => {
    const { id } = await world.newMerchant();

    const answers = await Promise.all(Array.from({ length: 6 }, () => approve(id)));

    expect(answers.map(({ status, code }) => `${status} ${code}`).toSorted()).toEqual([
      '200 ',
      ...Array.from({ length: 5 }, () => '409 INVALID_STATE'),
    ]);
    expect(await auditOf(world, id)).toHaveLength(1);
    expect(await eventsOf(world, id)).toHaveLength(2);
  });
});

describe('the list of merchants', () => {
  test('is readable by every role, newest first, in pages', async () => {
    await world.newMerchant();
    const last = await world.newMerchant();

    const { status, json } = await list('?limit=1', (await operatorAs(world, 'SUPPORT')).headers);

    const [counted] = await world.database.query<{ total: number }>(
      'SELECT count(*) AS total FROM organizations',
    );
    const total = counted?.total;
    expect(status).toBe(200);
    expect(json.data).toMatchObject([{ id: last.id, email: last.email, hasValidCnpj: expect.any(Boolean) }]);
    expect(json.meta).toMatchObject({ total, page: 1, limit: 1, pages: total });
  });

  test('flags a CNPJ with wrong check digits', async () => {
    await world.register({ cnpj: '34665388000161', companyName: 'CNPJ certo' });
    await world.register({ cnpj: '34665388000162', companyName: 'CNPJ errado' });
    await world.register({ cnpj: '12.abc.345/01de-35', companyName: 'CNPJ com letras' });
    await world.register({ cnpj: '12ABC34501DE36', companyName: 'CNPJ com letras, errado' });

    const { json } = await list('?search=CNPJ');

    expect(json.data).toMatchObject([
      { companyName: 'CNPJ com letras, errado', cnpj: '12ABC34501DE36', hasValidCnpj: false },
      { companyName: 'CNPJ com letras', cnpj: '12ABC34501DE35', hasValidCnpj: true },
      { companyName: 'CNPJ errado', hasValidCnpj: false },
      { companyName: 'CNPJ certo', hasValidCnpj: true },
    ]);
  });

  test.each(['11222333000181', '11.222.333/0001-81', ' 11222333/0001-81'])(
    'finds a CNPJ written as %p',
    async (written) => {
      const companyName = `Procurada ${written}`;
      await world.register({ cnpj: '11222333000181', companyName });

      const { json } = await list(`?search=${encodeURIComponent(written)}`);

      expect(json.data).toEqual(
        expect.arrayContaining([expect.objectContaining({ companyName, cnpj: '11222333000181' })]),
      );
    },
  );

  test('searches by status, name, e-mail or CNPJ, without wildcards', async () => {
    const { id, email } = await world.newMerchant();
    const waiting = await list(`?status=PENDING&search=${email}`);
    await approve(id);

    const found = await list(`?status=APPROVED&search=${email.slice(2, 30).toUpperCase()}`);
    const pending = await list(`?status=PENDING&search=${email}`);
    const pattern = await list('?search=%25');

    expect([waiting.json.data, found.json.data]).toMatchObject([[{ id }], [{ id }]]);
    expect([pending.json.data, pattern.json.data]).toEqual([[], []]);
  });
});
