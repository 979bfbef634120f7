import type { WebhookEvent } from '@plataforma/contracts';

/**
 * Thrown when no signature of the request fits a secret, or when the signature has expired. Answer 401 and
 * ignore the content of the request.
 */
export class WebhookSignatureError extends Error {
  readonly reason: 'missing' | 'wrong' | 'expired';

  constructor(reason: WebhookSignatureError['reason'], message: string) {
    super(message);
    this.name = 'WebhookSignatureError';
    this.reason = reason;
  }
}

interface Secrets {
  /** The webhook's secret, or the old and the new secret during a rotation. */
  secret: string | readonly string[];
  /** Returns the time in milliseconds. */
  now?: () => number;
}

/**
 * Options for the headers of Standard Webhooks. The signature covers id, time and body, so an old delivery is
 * refused.
 */
export interface StandardOptions extends Secrets {
  /**
   * Without this field, the secrets select the scheme: `standard` if all are `whsec_` and Base64, otherwise
   * `v1`. Headers never select it. Throws if a `whsec_` secret is not Base64 of at least 24 bytes.
   */
  scheme?: 'standard';
  /**
   * The largest difference in seconds between the time of a delivery and now, in the past or the future. 300
   * by default.
   */
  toleranceSeconds?: number;
}

/**
 * Options for the header `X-Webhook-Signature`, which covers only the body. A copied delivery passes at any
 * age, so store each `eventId` and ignore a second delivery of it.
 */
export interface BodyOptions extends Secrets {
  scheme: 'v1';
  toleranceSeconds?: never;
}

export type VerifyOptions = StandardOptions | BodyOptions;

const ADVICE = {
  standard: ': give the webhook the signatureVersion standard, or say scheme: v1 here',
  v1: '',
};
const SECRET_PREFIX = 'whsec_';
/**
 * Matches the prefix also after blanks or quotes, which an environment variable may contain. Otherwise such a
 * secret would select the scheme `v1`.
 */
const HAS_PREFIX = /^\W*whsec_/i;
/** Matches a secret without a key. Every sender could sign with the empty key. */
const BLANK = /^\s*(?:whsec_)?\s*$/i;
const HMAC = { name: 'HMAC', hash: 'SHA-256' };
const SIGNATURE_BYTES = 32;
/**
 * The maximum number of signatures that are compared for one header. Otherwise a sender without the secret
 * could cause much work with many signatures.
 */
const MOST_SIGNATURES = 8;
/** The minimum of Standard Webhooks, because a shorter key can be guessed and an empty one is public. */
const FEWEST_KEY_BYTES = 24;

/** A received body: its text or its bytes in any form, such as a Buffer. */
export type RawBody = string | ArrayBuffer | ArrayBufferView;

/**
 * Returns the posted event after its signature is verified over the received bytes. If every secret is
 * `whsec_` and Base64, the signature covers id, time and body. With other secrets or `scheme: 'v1'`, it
 * covers only the body. Throws a WebhookSignatureError for a missing, wrong or expired signature.
 */
export async function verifyWebhook(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secret: string | readonly string[] | VerifyOptions,
): Promise<WebhookEvent>;
/**
 * Returns the posted event after its signature in `X-Webhook-Signature` is verified. The signature covers
 * only the body, so a copied delivery passes at any age.
 */
export async function verifyWebhook(
  rawBody: RawBody,
  signature: string | null | undefined,
  secret: string | readonly string[] | BodyOptions,
): Promise<WebhookEvent>;
export async function verifyWebhook(
  rawBody: RawBody,
  signature: string | WebhookHeaders | null | undefined,
  secret: string | readonly string[] | VerifyOptions,
): Promise<WebhookEvent> {
  // A signature without the other headers can only be a signature of the scheme `v1`.
  const isHeaders = typeof signature === 'object' && signature !== null;
  const options = optionsOf(secret, isHeaders ? undefined : 'v1');
  const { scheme } = options;
  const body = bytesIn(rawBody);
  const headers = isHeaders ? signature : { 'x-webhook-signature': signature ?? undefined };
  const { keys, content, signatures } = (scheme === 'v1' ? contractSigned : standardSigned)(
    body,
    headers,
    options,
  );
  if (signatures.length === 0) {
    throw new WebhookSignatureError(
      'missing',
      `the request has no signature of the scheme ${scheme}${ADVICE[scheme]}`,
    );
  }
  for (const key of keys) {
    const imported = await crypto.subtle.importKey('raw', key, HMAC, false, ['sign']);
    const expected = new Uint8Array(await crypto.subtle.sign('HMAC', imported, content));
    if (signatures.some((each) => isSame(expected, each))) return JSON.parse(new TextDecoder().decode(body));
  }
  throw new WebhookSignatureError(
    'wrong',
    'no signature matches: check the webhook’s secret, and pass the raw body as received, before any parser',
  );
}

type Bytes = Uint8Array<ArrayBuffer>;
type Signed = { keys: Bytes[]; content: Bytes; signatures: Bytes[] };

/**
 * Checks the options. Each handler calls this function when it is created, so that a missing setting fails
 * before the first event.
 */
export function optionsOf(secret: string | readonly string[] | VerifyOptions, implied?: 'v1') {
  const options = typeof secret === 'object' && 'secret' in secret ? secret : { secret };
  const secrets = [options.secret].flat();
  if (secrets.length === 0 || secrets.some((each) => typeof each !== 'string' || BLANK.test(each))) {
    throw new TypeError('the webhook’s secret is missing');
  }
  const scheme = options.scheme ?? implied ?? schemeOf(secrets);
  if (scheme === 'standard' && !secrets.every(standardKeyOf)) {
    throw new TypeError(
      `a secret of the scheme standard must be ${SECRET_PREFIX} and the Base64 of ${FEWEST_KEY_BYTES} bytes or more`,
    );
  }
  return { ...options, scheme, secrets };
}

type Options = ReturnType<typeof optionsOf>;

/**
 * Selects the scheme from the secrets. If the headers decided, a sender could omit headers and send an old
 * delivery again at any age.
 */
function schemeOf(secrets: readonly string[]): 'v1' | 'standard' {
  const prefixed = secrets.filter((each) => HAS_PREFIX.test(each));
  if (!prefixed.every(standardKeyOf)) {
    throw new TypeError(
      `a secret that begins with ${SECRET_PREFIX} must continue with the Base64 of ` +
        `${FEWEST_KEY_BYTES} bytes or more: copy it whole, ` +
        `or set scheme: 'v1' if the webhook has the signatureVersion v1`,
    );
  }
  return prefixed.length === secrets.length ? 'standard' : 'v1';
}

/** Reads a request of the scheme `v1`. The complete text of the secret is the key. */
function contractSigned(body: Uint8Array, headers: WebhookHeaders, { secrets }: Options): Signed {
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(headerIn(headers, 'x-webhook-signature') ?? '')?.[1];
  const pairs = hex?.match(/../g) ?? [];
  const signature = Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
  return {
    keys: secrets.map(bytesOf),
    content: Uint8Array.from(body),
    signatures: hex === undefined ? [] : [signature],
  };
}

/**
 * Reads a request of Standard Webhooks 1.0.0. The signature covers id, time and body, and the header may have
 * several signatures.
 */
function standardSigned(body: Uint8Array, headers: WebhookHeaders, options: Options): Signed {
  const { secrets, toleranceSeconds = 300, now = Date.now } = options;
  const [id, timestamp = '', list = ''] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headerIn(headers, name),
  );
  const age = now() / 1000 - Number(timestamp);
  if (/^\d+$/.test(timestamp) && !(Math.abs(age) <= toleranceSeconds)) {
    throw new WebhookSignatureError(
      'expired',
      `signed ${Math.round(age)} s ago, by the clock of this machine`,
    );
  }
  const head = bytesOf(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  const given = list
    .split(' ')
    .flatMap((each) => (each.startsWith('v1,') ? (base64In(each.slice(3)) ?? []) : []))
    .filter(({ length }) => length === SIGNATURE_BYTES);
  const isWhole = id !== undefined && /^\d+$/.test(timestamp);
  return {
    keys: secrets.flatMap((secret) => standardKeyOf(secret) ?? []),
    content,
    signatures: isWhole ? given.slice(0, MOST_SIGNATURES) : [],
  };
}

/**
 * Returns the key with which a secret verifies Standard Webhooks. Returns null for a secret that can only
 * sign with the scheme `v1`.
 */
function standardKeyOf(secret: string): Bytes | null {
  const isPrefixed = secret.startsWith(SECRET_PREFIX);
  if (!isPrefixed && HAS_PREFIX.test(secret)) return null;
  const key = isPrefixed ? base64In(secret.slice(SECRET_PREFIX.length)) : bytesOf(secret);
  return key && key.length >= FEWEST_KEY_BYTES ? key : null;
}

/** Decodes Base64. Returns null for a text that is not canonical Base64 with its padding (`=`). */
function base64In(text: string): Bytes | null {
  try {
    const decoded = atob(text);
    return btoa(decoded) === text ? Uint8Array.from(decoded, (each) => each.charCodeAt(0)) : null;
  } catch {
    return null;
  }
}

/** Compares in constant time, so that the duration does not reveal the first difference. */
function isSame(expected: Bytes, given: Bytes): boolean {
  return (
    expected.length === given.length &&
    expected.reduce((difference, byte, at) => difference | (byte ^ (given[at] ?? 0)), 0) === 0
  );
}

function bytesIn(body: RawBody): Uint8Array {
  if (typeof body === 'string') return bytesOf(body);
  // A view, such as a Buffer, may cover only a part of the memory behind it.
  return ArrayBuffer.isView(body)
    ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
    : new Uint8Array(body);
}

function bytesOf(text: string): Bytes {
  return new TextEncoder().encode(text);
}

/** Headers of a fetch-style or Node request, in upper or lower case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

function headerIn(headers: WebhookHeaders, name: string): string | undefined {
  if (isMap(headers)) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : found?.[0];
}

function isMap(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}
