import { randomUUID } from 'node:crypto';
import { scopes } from '@plataforma/contracts';
import { operatorToken } from '@plataforma/testing';
import type { CheckWorld, Client } from './check-world.ts';

const LOGIN = { email: 'ana@loja.test', password: 'uma senha comprida' };
const COMPANY = { companyName: 'Loja da Ana', cnpj: '11222333000181', phone: '11987654321' };

/** Changes everything except money: the status of merchants, API keys, settings and webhooks. */
export async function keepPromises(world: CheckWorld): Promise<void> {
  const { platform, clientOf } = world;
  const { baseUrl, operator: login } = platform.facts;
  const accessToken = await operatorToken(baseUrl, login);
  const operator = clientOf('operator', { authorization: `Bearer ${accessToken}` });
  const nobody = clientOf('merchant 2', {});
  await nobody.post('/v1/auth/register', { ...LOGIN, ...COMPANY });
  const session = await nobody.post('/v1/auth/login', LOGIN);
  const dashboard = clientOf('merchant 2', { authorization: `Bearer ${session.accessToken}` });
  const { id } = await dashboard.get('/v1/account');

  await admit(operator, String(id));
  await comeAndGo(world, operator);
  await dashboard.patch('/v1/account', { checkoutColor: '#1f6feb' });
  await dashboard.post('/v1/sandbox/clock', { advance: 'PT3H' }, randomUUID());
  await listen(world, await takeKey(dashboard));
  const first = clientOf('merchant 1', { 'x-api-key': platform.facts.demo.sandboxKey });
  await first.get('/v1/transactions?limit=50');
  const webhook = await first.get('/v1/webhook-config');
  await first.patch(`/v1/webhook-config/${webhook.id}`, { signatureVersion: 'v1' });
}

async function admit(operator: Client, id: string): Promise<void> {
  const path = `/v1/admin/merchants/${id}`;
  await operator.post(`${path}/approve`);
  await operator.post(`${path}/suspend`, { reason: 'por causa dos documentos' });
  await operator.post(`${path}/reactivate`, { reason: 'os documentos chegaram' });
  await operator.patch(`${path}/settings`, { autoApproveLimit: 4_000 });
  // The same request again, which changes nothing.
  await operator.patch(`${path}/settings`, { autoApproveLimit: 4_000 });
}

/** Creates an operator. The operator changes the password and is then deactivated. */
async function comeAndGo({ clientOf, platform }: CheckWorld, operator: Client): Promise<void> {
  const { password } = LOGIN;
  const login = { email: 'rosa@plataforma.test', password };
  const { id } = await operator.post('/v1/admin/operators', { ...login, role: 'FINANCE' }, randomUUID());
  const accessToken = await operatorToken(platform.facts.baseUrl, login);
  const colleague = clientOf('operator 2', { authorization: `Bearer ${accessToken}` });
  const change = { currentPassword: password, newPassword: `${password}!` };
  await colleague.post('/v1/admin/auth/password', change);
  await operator.patch(`/v1/admin/operators/${id}`, { isActive: false });
}

/** Returns an API key that has replaced another key by rotation. Also creates a third key and revokes it. */
async function takeKey(dashboard: Client): Promise<string> {
  const newKey = { name: 'loja', environment: 'production', scopes };
  const old = await dashboard.post('/v1/api-keys', newKey, randomUUID());
  const lost = await dashboard.post('/v1/api-keys', newKey, randomUUID());
  await dashboard.delete(`/v1/api-keys/${lost.id}`);
  const soon = { gracePeriodSeconds: 60 };
  const { key } = await dashboard.post(`/v1/api-keys/${old.id}/rotate`, soon, randomUUID());
  return String(key);
}

async function listen({ shop, clientOf }: CheckWorld, key: string): Promise<void> {
  const merchant = clientOf('merchant 2', { 'x-api-key': key });
  const url = `${shop.url}/hooks/3`;
  const path = '/v1/webhook-config';
  const { id } = await merchant.post(path, { url }, randomUUID());
  await merchant.patch(`${path}/${id}`, { events: ['charge.paid'] });
  await merchant.post(`${path}/${id}/test`, {}, randomUUID());
  await merchant.get(path);
}
