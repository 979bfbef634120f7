import { createSigner, IDENTITY_HEADER } from '@plataforma/chassis';
import type { OperatorRole, Scope } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { newKeyPair } from '@plataforma/testing';

const gatewayKeys = newKeyPair();
const own = newKeyPair();
const gateway = createSigner('gateway', gatewayKeys.privateKey);

/** The TRUSTED_KEYS under which the gateway of these tests is believed. */
export const TRUSTED_KEYS = JSON.stringify({ gateway: gatewayKeys.publicKey });

export const SERVICE_KEY = own.privateKey;

/** Under which the ledger of these tests believes the service. */
export const OWN_KEYS = JSON.stringify({ withdrawals: own.publicKey });

export function newTenant(environment: Tenant['environment'] = 'sandbox'): Tenant {
  return { merchantId: newId(), environment };
}

/** What the gateway puts on a merchant's call. */
export function headersFor(tenant: Tenant, scopes: Scope[] = ['withdrawals:write']): Record<string, string> {
  return { [IDENTITY_HEADER]: gateway.sign({ kind: 'merchant', ...tenant, scopes }, 'withdrawals') };
}

/** What the gateway puts on an operator's call. */
export function operatorHeader(operatorId: string, role: OperatorRole = 'FINANCE'): Record<string, string> {
  return { [IDENTITY_HEADER]: gateway.sign({ kind: 'operator', operatorId, role }, 'withdrawals') };
}

/** What the gateway puts on a call of its own. */
export function gatewayHeader(audience = 'withdrawals'): Record<string, string> {
  return { [IDENTITY_HEADER]: gateway.sign({ kind: 'service' }, audience) };
}

/** What the gateway puts on a call that needs no account. */
export function anonymousHeader(): Record<string, string> {
  return { [IDENTITY_HEADER]: gateway.sign({ kind: 'anonymous' }, 'withdrawals') };
}
