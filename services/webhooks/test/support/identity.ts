import { generateKeyPairSync } from 'node:crypto';
import { createSigner, IDENTITY_HEADER } from '@plataforma/chassis';
import type { OperatorRole, Scope } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const gateway = createSigner(
  'gateway',
  privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
);

/** The TRUSTED_KEYS under which `headersFor` is believed. */
export const TRUSTED_KEYS = JSON.stringify({
  gateway: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
});

export function newTenant(environment: Tenant['environment'] = 'sandbox'): Tenant {
  return { merchantId: newId(), environment };
}

/** What the gateway puts on a merchant's call. */
export function headersFor(tenant: Tenant, scopes: Scope[] = ['charges:write']): Record<string, string> {
  return { [IDENTITY_HEADER]: gateway.sign({ kind: 'merchant', ...tenant, scopes }, 'webhooks') };
}

/** What the gateway puts on an operator's call. */
export function operatorHeader(role: OperatorRole = 'SUPPORT'): Record<string, string> {
  return { [IDENTITY_HEADER]: gateway.sign({ kind: 'operator', operatorId: newId(), role }, 'webhooks') };
}

/** What the gateway puts on a call of its own. */
export function gatewayHeader(audience = 'webhooks'): Record<string, string> {
  return { [IDENTITY_HEADER]: gateway.sign({ kind: 'service' }, audience) };
}

/** What the gateway puts on a call that needs no account. */
export function anonymousHeader(): Record<string, string> {
  return { [IDENTITY_HEADER]: gateway.sign({ kind: 'anonymous' }, 'webhooks') };
}
