import { hash, sign, verify } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { environments, newId, Refusal, type Tenant } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import type { Identity } from './identity.ts';
import { metrics } from './metrics.ts';
import { hasMac, macFor, type OrderSecret, orderSecrets } from './order-macs.ts';
import { type TokenKey, tokenSigningKey } from './token-keys.ts';

/** The request header with the gateway's signature of an order that moves money. */
export const ORDER_HEADER = 'x-internal-order';
/** The request header with the body of the order in base64url, for a service that did not get the body. */
export const ORDERED_BODY_HEADER = 'x-internal-ordered-body';
/** The request header with the gateway's signature of an operator's decision about the order. */
export const DECISION_HEADER = 'x-internal-decision';

/** The beginning of the signed text, so that a signature for another use is never valid for an order. */
const FORMAT = 'order1';
/** Separates the fields. No field contains a space, because the path of a request contains none. */
const SEPARATOR = ' ';
/** Stands for an absent field. */
const NONE = '-';
/** The number of signed fields. */
const FIELDS = 9;
const DIGEST = 'sha256';

/**
 * `accept` also accepts orders without a token and counts them. It is for the time in which a gateway of a
 * release without tokens still runs.
 */
export const orderModes = ['accept', 'require'] as const;
type OrderMode = (typeof orderModes)[number];

/** An order that moves money, or an operator's decision about one, as the gateway signs it. */
export interface SignedOrder {
  /** The id of the order. A withdrawal has the id of its order. */
  id: string;
  /** The path of the request, such as `/v1/withdrawals`. */
  path: string;
  /** The merchant and environment that pay, or null for an operator's decision. */
  tenant: Tenant | null;
  /** The API key, user or operator that gave the order, such as `operator:` and its id. */
  actor: string;
  at: Date;
}

type SignOrder = (req: Pick<IncomingMessage, 'url'>, caller: OrderCaller, body: Buffer | null) => string;

interface OrderCaller {
  identity: Identity;
  /** The API key or the user of a merchant. */
  actor: string | undefined;
}

/**
 * Creates the function that signs each order with the gateway's private key (ES256) and adds an HMAC for each
 * of the public keys in `receivers`.
 */
export function createOrderSigner(
  privateKey: string,
  clock: () => Date,
  receivers: readonly TokenKey[] = [],
): SignOrder {
  const key = tokenSigningKey(privateKey);
  const secrets = orderSecrets(key.key, receivers);
  return ({ url = '' }, { identity, actor = NONE }, body) => {
    const order = { id: newId(), path: pathOf(url), at: clock() };
    if (identity.kind === 'operator')
      return signOrder(
        key,
        { ...order, tenant: null, actor: `operator:${identity.operatorId}` },
        body,
        secrets,
      );
    const tenant = identity.kind === 'merchant' ? identity : null;
    return signOrder(key, { ...order, tenant, actor }, body, secrets);
  };
}

function pathOf(url: string): string {
  return (url.split('?', 1)[0] ?? '').replace(/\/$/, '').toLowerCase();
}

/** Returns the token of an order: its fields, the digest of the exact body, the signature, and the HMACs. */
export function signOrder(
  { id: keyId, key }: TokenKey,
  { id, path, tenant, actor, at }: SignedOrder,
  body: Buffer | null,
  secrets: readonly OrderSecret[] = [],
): string {
  const owner = [tenant?.merchantId ?? NONE, tenant?.environment ?? NONE];
  const fields = [FORMAT, keyId, id, path, ...owner, actor, at.getTime(), digestOf(body ?? '')];
  const text = fields.join(SEPARATOR);
  const signature = sign(DIGEST, Buffer.from(text), key).toString('base64url');
  return [text, signature, ...secrets.map((secret) => macFor(secret, text))].join(SEPARATOR);
}

function digestOf(bytes: string | Buffer): string {
  return hash(DIGEST, bytes, 'base64url');
}

/** Returns the digest that identifies the order in the ledger's entry. */
export const orderDigest = digestOf;

/**
 * Why an order is unproven. `missing`, `accepted`: it has no token. `foreign`: signed for another caller or
 * path. `changed`: signed for another body. `reused`: another withdrawal has used it.
 */
const verdicts = ['missing', 'accepted', 'forged', 'old', 'foreign', 'changed', 'amount', 'reused'] as const;
type Verdict = (typeof verdicts)[number];

const counted = metrics.recorder(
  'plataforma_orders_unproven_total',
  verdicts.map((verdict) => ({ verdict })),
);

/** The values that an order must have. An undefined value is not compared. */
interface Expected {
  path: string;
  id?: string;
  tenant?: Tenant;
  actor?: string;
  body?: string | Buffer;
  /** The maximum difference in milliseconds between the order's time and now, in either direction. */
  maxAgeMs?: number;
}

export interface OrderVerifier {
  /**
   * Returns the order in a token that the gateway has signed. Throws FORBIDDEN for every other token. Returns
   * null without a token, if the mode is `accept`.
   */
  verify(token: string | null | undefined, expected: Expected): SignedOrder | null;
  /** Returns whether `verify` would accept the token. Counts and logs nothing. */
  accepts(token: string | null | undefined, expected: Expected): boolean;
  /** Counts and logs an order that is refused, and returns the error FORBIDDEN. */
  refuse(verdict: Verdict, expected: Pick<Expected, 'path' | 'id'>): Refusal;
}

interface OrderVerifierOptions {
  mode: OrderMode;
  /** The public keys of the gateway. */
  keys: readonly TokenKey[] | undefined;
  /** The private key of a receiver for which the gateway adds an HMAC. */
  receiverKey?: string | undefined;
  clock: () => Date;
  log: Pick<Log, 'error'>;
}

export function createOrderVerifier(options: OrderVerifierOptions): OrderVerifier {
  const { mode, keys = [], receiverKey, clock, log } = options;
  const own = receiverKey === undefined ? undefined : tokenSigningKey(receiverKey);
  const secrets = own ? orderSecrets(own.key, keys) : [];
  const trusted = keys.map(({ id, key }) => {
    const shared = secrets.find((each) => each.id === id);
    return { id, key, secret: own && shared && { id: own.id, secret: shared.secret } };
  });

  function refuse(verdict: Verdict, { path, id }: Pick<Expected, 'path' | 'id'>): Refusal {
    counted({ verdict }, 1);
    log.error({ verdict, path, id }, 'order refused because the gateway did not sign it as it is');
    return new Refusal('forbidden', 'FORBIDDEN', `the gateway did not sign this order as it is: ${verdict}`);
  }

  type Reading = { order: SignedOrder; verdict?: undefined } | { order?: undefined; verdict: Verdict };

  function read(token: string, expected: Expected): Reading {
    const signed = signedIn(token, trusted);
    const verdict = signed ? verdictOf(signed, expected, clock()) : 'forged';
    return signed && !verdict ? { order: signed.order } : { verdict: verdict ?? 'forged' };
  }

  return {
    refuse,
    verify(token, expected) {
      if (!token) {
        if (mode === 'require') throw refuse('missing', expected);
        counted({ verdict: 'accepted' }, 1);
        return null;
      }
      const { order, verdict } = read(token, expected);
      if (!order) throw refuse(verdict, expected);
      return order;
    },
    accepts: (token, expected) => (token ? read(token, expected).order !== undefined : mode === 'accept'),
  };
}

interface Signed {
  order: SignedOrder;
  digest: string;
}

type TrustedKey = TokenKey & { secret: OrderSecret | undefined };

/** Returns the order in a token, or null if none of `keys` has signed the token or made its HMAC. */
function signedIn(token: string, keys: readonly TrustedKey[]): Signed | null {
  const fields = token.split(SEPARATOR);
  const [format, keyId, id = '', path = '', merchantId = '', environment, actor = '', at, digest = ''] =
    fields;
  const trusted = keys.find((each) => each.id === keyId);
  if (!trusted || format !== FORMAT) return null;
  const text = fields.slice(0, FIELDS).join(SEPARATOR);
  const [signature = '', ...macs] = fields.slice(FIELDS);
  const isGood =
    (trusted.secret && hasMac(macs, text, trusted.secret)) ||
    verify(DIGEST, Buffer.from(text), trusted.key, Buffer.from(signature, 'base64url'));
  if (!isGood) return null;
  const owned = environments.find((each) => each === environment);
  const tenant = owned ? { merchantId, environment: owned } : null;
  return { order: { id, path, tenant, actor, at: new Date(Number(at)) }, digest };
}

function verdictOf({ order, digest }: Signed, expected: Expected, now: Date): Verdict | null {
  const { path, id, tenant, actor, body, maxAgeMs = Number.POSITIVE_INFINITY } = expected;
  const isForeign =
    order.path !== path ||
    (actor !== undefined && order.actor !== actor) ||
    (tenant !== undefined &&
      (order.tenant?.merchantId !== tenant.merchantId || order.tenant.environment !== tenant.environment));
  if (isForeign) return 'foreign';
  if (id !== undefined && order.id !== id) return 'reused';
  if (body !== undefined && digestOf(body) !== digest) return 'changed';
  return Math.abs(now.getTime() - order.at.getTime()) > maxAgeMs ? 'old' : null;
}
