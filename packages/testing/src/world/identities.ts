import type { OperatorRole, Scope } from '@plataforma/contracts';
import { createSigner, IDENTITY_HEADER, type Signer } from '@plataforma/http';
import { newId, type Tenant, type TimeZone } from '@plataforma/kernel';
import { type KeyPair, newKeyPair } from '@plataforma/local';

export type Issuer = 'gateway' | 'charges' | 'withdrawals' | 'ledger' | 'webhooks';
type Headers = Record<string, string>;

interface Operator {
  role: OperatorRole;
  operatorId: string;
}

export interface Identities {
  issuers: readonly Issuer[];
  /** The settings under which a service believes what is signed here, and signs itself. */
  keySettings: { SERVICE_KEY: string; TRUSTED_KEYS: string };
  /** The TRUSTED_KEYS under which others believe the service. */
  ownKeys: string;
  signerOf(issuer: Issuer): Signer;
  headerWith(token: string): Headers;
  /** The gateway puts it on a merchant's call. */
  merchantHeader(tenant: Tenant & { timeZone?: TimeZone }, scopes?: Scope[]): Headers;
  /** The gateway puts it on an operator's call; the same operator's unless another is named. */
  operatorHeader(operator?: Partial<Operator>, audience?: string): Headers;
  /** The gateway puts it on a call that needs no account, with the group of the caller's network. */
  anonymousHeader(group?: number): Headers;
  /** Returns the headers of a service's own call; of the gateway's by default. */
  serviceHeader(issuer?: Issuer, audience?: string): Headers;
}

interface Usual {
  /** Whom the service believes. */
  issuers: readonly Issuer[];
  /** The scopes of a merchant by default. */
  scopes: Scope[];
  role?: OperatorRole;
}

declare global {
  var keysByName: Map<string, KeyPair> | undefined;
}

/** Finds or makes a key pair. All files of a worker have the same, so that a shared world trusts each of them. */
export function keysOfWorker(name: string): KeyPair {
  globalThis.keysByName ??= new Map();
  const keys = globalThis.keysByName.get(name) ?? newKeyPair();
  globalThis.keysByName.set(name, keys);
  return keys;
}

/** All who call a service. */
export function identitiesFor(audience: Issuer, { issuers, scopes, role = 'ADMIN' }: Usual): Identities {
  const own = keysOfWorker(`${audience} itself`);
  const operatorId = newId();
  const keys = new Map(issuers.map((issuer) => [issuer, keysOfWorker(`${issuer} for ${audience}`)]));
  const signers = new Map([...keys].map(([name, { privateKey }]) => [name, createSigner(name, privateKey)]));
  const publicKeys = [...keys].map(([name, { publicKey }]) => [name, publicKey]);

  const headerWith = (token: string) => ({ [IDENTITY_HEADER]: token });
  function signerOf(issuer: Issuer): Signer {
    const signer = signers.get(issuer);
    if (!signer) throw new Error(`${audience} does not believe ${issuer} here`);
    return signer;
  }
  const gateway = signerOf('gateway');

  return {
    issuers,
    keySettings: {
      SERVICE_KEY: own.privateKey,
      TRUSTED_KEYS: JSON.stringify(Object.fromEntries(publicKeys)),
    },
    ownKeys: JSON.stringify({ [audience]: own.publicKey }),
    signerOf,
    headerWith,
    merchantHeader: (tenant, granted = scopes) =>
      headerWith(gateway.sign({ kind: 'merchant', ...tenant, scopes: granted }, audience)),
    operatorHeader: (operator, to = audience) =>
      headerWith(gateway.sign({ kind: 'operator', operatorId, role, ...operator }, to)),
    anonymousHeader: (group) =>
      headerWith(gateway.sign({ kind: 'anonymous', ...(group !== undefined && { group }) }, audience)),
    serviceHeader: (issuer = 'gateway', to = audience) =>
      headerWith(signerOf(issuer).sign({ kind: 'service' }, to)),
  };
}

export function newTenant(environment: Tenant['environment'] = 'sandbox'): Tenant {
  return { merchantId: newId(), environment };
}
