import { api, type DestinationView } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import type { Call, Message } from './client.ts';

export function newPixBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { type: 'PIX', pixKeyType: 'EVP', pixKey: newId(), ...changes };
}

export const bankBody = {
  type: 'BANK_ACCOUNT',
  bankCode: '341',
  branch: '0001',
  account: '12345-6',
  accountType: 'CHECKING',
  holderName: 'Maria da Silva',
  holderDocument: '12345678909',
} as const;

export function save(world: { call: Call }, tenant: Tenant, body: unknown, message: Message = {}) {
  return world.call(tenant, '/v1/destinations', { method: 'POST', body, ...message });
}

export async function saved(
  world: { call: Call },
  tenant: Tenant,
  body: unknown = newPixBody(),
): Promise<DestinationView> {
  const answer = await save(world, tenant, body);
  if (answer.status !== 201) throw new Error(`nothing was saved: ${JSON.stringify(answer)}`);
  return api.createDestination.data.parse(answer.data);
}
