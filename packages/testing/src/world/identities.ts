import type { OperatorRole, Scope } from '@plataforma/contracts';
import {
  createSigner,
  IDENTITY_HEADER,
  ORDER_HEADER,
  type SignedOrder,
  type Signer,
  signOrder,
  tokenSigningKey,
} from '@plataforma/http';
import { newId, type Tenant, type TimeZone } from '@plataforma/kernel';
import { type KeyPair, newKeyPair } from '@plataforma/local';

export type Issuer = 'gateway' | 'charges' | 'withdrawals' | 'ledger' | 'webhooks';
type Headers = Record<string, string>;

interface Operator {
  role: OperatorRole;
  operatorId: string;
  /** The time of the last second factor. A gateway of release 0.6.0 omits it. */
  factorAt?: number | null;
}

export interface Identities {
  issuers: readonly Issuer[];
  /**
   * The settings with which the service under test trusts these issuers, and signs its own calls to other
   * services.
   */
  keySettings: { SERVICE_KEY: string; TRUSTED_KEYS: string };
  /** The setting TRUSTED_KEYS with which other services trust the service under test. */
  ownKeys: string;
  signerOf(issuer: Issuer): Signer;
  headerWith(token: string): Headers;
  /** The default operator of `operatorHeader`. */
  operatorId: string;
  /** Returns the identity header that the gateway adds to the call of a merchant. */
  merchantHeader(tenant: Tenant & { timeZone?: TimeZone }, scopes?: Scope[]): Headers;
  /**
   * Returns the identity header that the gateway adds to the call of an operator. The default operator is
   * always the same.
   */
  operatorHeader(operator?: Partial<Operator>, audience?: string): Headers;
  /**
   * Returns the identity header of a caller without an account. `group` is the group of the caller's IP
   * network.
   */
  anonymousHeader(group?: number): Headers;
  /** Returns the header with which the issuer `by`, by default the gateway, signs an order of money. */
  orderHeader(order: Partial<SignedOrder> & { body?: unknown }, by?: Issuer): Headers;
  /** Returns the identity header that a service adds to its own call. The default issuer is the gateway. */
  serviceHeader(issuer?: Issuer, audience?: string): Headers;
}

interface Usual {
  /** The services whose tokens the service under test trusts. */
  issuers: readonly Issuer[];
  /** The scopes of a merchant's API key, if a test gives no others. */
  scopes: Scope[];
  role?: OperatorRole;
}

declare global {
  var keysByName: Map<string, KeyPair> | undefined;
}

/**
 * Returns the key pair with this name, and creates it at the first call. All test files of a worker process
 * use the same keys, because a shared test environment trusts only these keys.
 */
export function keysOfWorker(name: string): KeyPair {
  globalThis.keysByName ??= new Map();
  const keys = globalThis.keysByName.get(name) ?? newKeyPair();
  globalThis.keysByName.set(name, keys);
  return keys;
}

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
    operatorId,
    headerWith,
    merchantHeader: (tenant, granted = scopes) =>
      headerWith(gateway.sign({ kind: 'merchant', ...tenant, scopes: granted }, audience)),
    operatorHeader: (operator, to = audience) =>
      headerWith(gateway.sign({ kind: 'operator', operatorId, role, ...operator }, to)),
    anonymousHeader: (group) =>
      headerWith(gateway.sign({ kind: 'anonymous', ...(group !== undefined && { group }) }, audience)),
    orderHeader({ body, ...order }, by = 'gateway') {
      const { privateKey } = keys.get(by) ?? own;
      const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
      const usual = { id: newId(), path: '/v1/withdrawals', tenant: null, actor: `operator:${operatorId}` };
      const signed = { ...usual, at: new Date(), ...order };
      const bytes = body === undefined ? null : Buffer.from(text);
      return { [ORDER_HEADER]: signOrder(tokenSigningKey(privateKey), signed, bytes) };
    },
    serviceHeader: (issuer = 'gateway', to = audience) =>
      headerWith(signerOf(issuer).sign({ kind: 'service' }, to)),
  };
}

export function newTenant(environment: Tenant['environment'] = 'sandbox'): Tenant {
  return { merchantId: newId(), environment };
}
