import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Platform } from '../../src/index.ts';
import { type Client, clientOf } from './client.ts';

/** Answers what calls with the sandbox key that the account gets in the end. */
export function tellFirstAccount(platform: () => Platform): () => Client {
  const facts = () => platform().facts;
  let merchant: Client;
  const registration = {
    email: `dono-${Date.now()}@loja.test`,
    password: 'uma senha comprida',
    companyName: 'Loja da Maria',
    cnpj: '01838723000127',
    phone: '11987654321',
  };
  let tokens: { accessToken: string; refreshToken: string };

  test('a merchant registers and is PENDING', async () => {
    const anyone = clientOf(facts().baseUrl);

    const registered = await anyone.post('/v1/auth/register', registration);
    const again = await anyone.post('/v1/auth/register', registration);

    expect(registered.status).toBe(201);
    expect(registered.data).toEqual({ accessToken: expect.any(String), refreshToken: expect.any(String) });
    expect([again.status, again.body.error?.code]).toEqual([409, 'ACCOUNT_EXISTS']);
    const account = await clientOf(facts().baseUrl, {
      bearer: String(registered.data.accessToken),
    }).get('/v1/account');
    expect(account.data).toMatchObject({ status: 'PENDING', email: registration.email, cardEnabled: false });
  });

  test('logs in, refreshes and logs out', async () => {
    const anyone = clientOf(facts().baseUrl);

    const loggedIn = await anyone.post('/v1/auth/login', {
      email: registration.email,
      password: registration.password,
    });
    const refreshed = await anyone.post('/v1/auth/refresh', { refreshToken: loggedIn.data.refreshToken });
    const session = clientOf(facts().baseUrl, { bearer: String(refreshed.data.accessToken) });
    const unknown = await session.delete(`/v1/auth/sessions/${randomUUID()}`);
    const change = { currentPassword: 'a guess', newPassword: 'outra senha longa' };
    const refused = await session.post('/v1/auth/password', change);
    expect([unknown, refused].map(({ body }) => body.error?.code)).toEqual([
      'NOT_FOUND',
      'INVALID_CREDENTIALS',
    ]);
    const loggedOut = await session.post('/v1/auth/logout');

    expect([loggedIn.status, refreshed.status, loggedOut.status]).toEqual([200, 200, 200]);
    expect(Object.keys(refreshed.data)).toEqual(['accessToken']);
    const late = await anyone.post('/v1/auth/refresh', { refreshToken: loggedIn.data.refreshToken });
    expect([late.status, late.body.error?.code]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
    const next = await anyone.post('/v1/auth/login', {
      email: registration.email,
      password: registration.password,
    });
    tokens = { accessToken: String(next.data.accessToken), refreshToken: String(next.data.refreshToken) };
  });

  test('an operator approves it, and only then it may have a production key', async () => {
    const dashboard = clientOf(facts().baseUrl, { bearer: tokens.accessToken });
    const early = await dashboard.post('/v1/api-keys', { name: 'Live', environment: 'production' });
    expect([early.status, early.body.error?.code]).toEqual([403, 'MERCHANT_NOT_APPROVED']);

    const login = await clientOf(facts().baseUrl).post('/v1/admin/auth/login', facts().operator);
    const operator = clientOf(facts().baseUrl, { bearer: String(login.data.accessToken) });
    const waiting = await operator.get('/v1/admin/merchants?status=PENDING');
    const approved = await operator.post(`/v1/admin/merchants/${waiting.list[0]?.id}/approve`);

    expect(waiting.list).toMatchObject([{ email: registration.email, hasValidCnpj: true }]);
    expect([approved.status, approved.data.status]).toEqual([200, 'APPROVED']);
    const key = await dashboard.post('/v1/api-keys', { name: 'Live', environment: 'production' });
    expect(key.status).toBe(201);
  });

  test('creates a sandbox key, which is shown once', async () => {
    const dashboard = clientOf(facts().baseUrl, { bearer: tokens.accessToken });

    const created = await dashboard.post('/v1/api-keys', { name: 'Shop', environment: 'sandbox' });
    const listed = await dashboard.get('/v1/api-keys');

    const key = String(created.data.key);
    expect(created.status).toBe(201);
    expect(key).toMatch(/^sk_sandbox_[0-9A-Za-z]{38}$/);
    expect(JSON.stringify(listed.body)).not.toContain(key);
    expect(listed.list[0]?.maskedKey).toBe(`sk_sandbox_********${key.slice(-4)}`);
    merchant = clientOf(facts().baseUrl, { key });
  });

  return () => merchant;
}
