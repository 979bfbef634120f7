import { createSigner, IDENTITY_HEADER, type Signer } from '@plataforma/chassis';
import type { Scope } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { newKeyPair } from '@plataforma/testing';

const gatewayKeys = newKeyPair();
const ledgerKeys = newKeyPair();
const own = newKeyPair();

export const gateway: Signer = createSigner('gateway', gatewayKeys.privateKey);
/** A service of ours that may speak to charges, but not for merchants. */
export const ledger: Signer = createSigner('ledger', ledgerKeys.privateKey);

/** The settings under which identities signed here are believed. */
export const keySettings = {
  SERVICE_KEY: own.privateKey,
  TRUSTED_KEYS: JSON.stringify({ gateway: gatewayKeys.publicKey, ledger: ledgerKeys.publicKey }),
};

export function newTenant(environment: Tenant['environment'] = 'sandbox'): Tenant {
  return { merchantId: newId(), environment };
}

export function headerWith(token: string): Record<string, string> {
  return { [IDENTITY_HEADER]: token };
}

/** What the gateway puts on a merchant's call. */
export function merchantHeader(tenant: Tenant, scopes: Scope[] = ['charges:write']): Record<string, string> {
  return headerWith(gateway.sign({ kind: 'merchant', ...tenant, scopes }, 'charges'));
}

/** What the gateway puts on a call that needs no account. */
export function anonymousHeader(): Record<string, string> {
  return headerWith(gateway.sign({ kind: 'anonymous' }, 'charges'));
}
