import { generateKeyPairSync } from 'node:crypto';
import { createSigner, IDENTITY_HEADER } from '@plataforma/chassis';
import type { OperatorRole, Scope } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';

function newSigner(issuer: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    ...createSigner(issuer, privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')),
  };
}

const gateway = newSigner('gateway');
const charges = newSigner('charges');
const webhooks = newSigner('webhooks');
const withdrawals = newSigner('withdrawals');

/** The TRUSTED_KEYS under which everybody here is believed. */
export const TRUSTED_KEYS = JSON.stringify({
  gateway: gateway.publicKey,
  charges: charges.publicKey,
  webhooks: webhooks.publicKey,
  withdrawals: withdrawals.publicKey,
});

export function newTenant(environment: Tenant['environment'] = 'sandbox'): Tenant {
  return { merchantId: newId(), environment };
}

/** What the gateway puts on a merchant's call. */
export function headersFor(tenant: Tenant, scopes: Scope[] = ['wallet:read']): Record<string, string> {
  return { [IDENTITY_HEADER]: gateway.sign({ kind: 'merchant', ...tenant, scopes }, 'ledger') };
}

/** What a service puts on a call of its own. */
export function serviceHeaders(
  service: 'charges' | 'gateway' | 'webhooks' | 'withdrawals' = 'charges',
  audience = 'ledger',
): Record<string, string> {
  const signer = { charges, gateway, webhooks, withdrawals }[service];
  return { [IDENTITY_HEADER]: signer.sign({ kind: 'service' }, audience) };
}

const operatorId = newId();

/** What the gateway puts on an operator's call. */
export function operatorHeaders(role: OperatorRole = 'ADMIN', audience = 'ledger'): Record<string, string> {
  return { [IDENTITY_HEADER]: gateway.sign({ kind: 'operator', operatorId, role }, audience) };
}
