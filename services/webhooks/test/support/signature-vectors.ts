import { createHmac } from 'node:crypto';
import { headersOf, signingKeysOf } from '../../src/sending/signatures.ts';

/** A received delivery, and whether a receiver with these secrets must accept it at the time `now`. */
interface SignatureVector {
  name: string;
  scheme: 'v1' | 'standard';
  /** The secrets that the receiver has. During a rotation it has two. */
  secrets: readonly string[];
  headers: Record<string, string>;
  /** The text of the body. Its UTF-8 bytes are signed. */
  body: string;
  /** The time of the receiver's clock, in seconds since 1970. */
  now: number;
  valid: boolean;
}

const AT = 1_795_694_400;
const OLD = 'whsec_dGhlIG9sZCBzZWNyZXQgb2YgdGhlIHZlY3RvcnMhISE=';
const NEW = 'whsec_dGhlIG5ldyBzZWNyZXQgb2YgdGhlIHZlY3RvcnMhISE=';
const NO_BASE64 = 'whsec_minha-loja-secreta-2026';
const TEXT = 'um segredo meu, com acentuação';
const paid = {
  event: 'charge.paid',
  data: {
    id: '01930a6e-4b7c-7d21-9f53-2f1c8a6d4e01',
    txid: '7d41c2b09e5f4a6c8b13d2e7f0a9c654',
    status: 'PAID',
    amount: 2500,
    netAmount: 2475,
    feeAmount: 25,
    paidAt: '2026-11-26T12:00:00.000Z',
    externalId: 'order-1001',
    metadata: { loja: 'São Paulo – matriz ☕' },
  },
  timestamp: '2026-11-26T12:00:00.000Z',
  eventId: '01930e11-5c2d-7b6f-8a40-1e9d4c7b0001',
  sequence: 1,
};
const BODY = JSON.stringify(paid);

type Signer = readonly [string, ...string[]];

/**
 * Returns the headers that the service sends. Secrets in a grace period sign first, then the current secret.
 */
function signed([first, ...rest]: Signer, scheme: SignatureVector['scheme'], body = BODY) {
  const message = {
    id: '01930f00-0a1b-7c2d-8e3f-4a5b6c7d8e9f',
    eventId: paid.eventId,
    ...{ isTest: false, sequence: paid.sequence, signatureVersion: scheme },
    ...{ body: Buffer.from(body), at: new Date(AT * 1000) },
  };
  return headersOf(message, [signingKeysOf(first), ...rest.map(signingKeysOf)]);
}

function vector(name: string, scheme: SignatureVector['scheme'], given: Partial<SignatureVector>) {
  const made = { secrets: [OLD], headers: signed([OLD], scheme), body: BODY, now: AT, valid: true };
  return { name, scheme, ...made, ...given };
}

/** Makes a signature wrong by replacing its first digit or letter. */
const spoiled = (text: string) =>
  text.replace(/(?<=^(?:sha256=|v1,))./, (first) => (first === '0' ? '1' : '0'));

const bothSchemes = (['v1', 'standard'] as const).flatMap((scheme) => {
  const header = scheme === 'v1' ? 'X-Webhook-Signature' : 'webhook-signature';
  const headers = signed([OLD], scheme);
  const without = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== header));
  return [
    vector(`${scheme}: signed`, scheme, {}),
    vector(`${scheme}: a short body`, scheme, { body: '{}', headers: signed([OLD], scheme, '{}') }),
    vector(`${scheme}: a secret that is a text of your own`, scheme, {
      secrets: [TEXT],
      headers: signed([TEXT], scheme),
    }),
    vector(`${scheme}: one of two secrets`, scheme, { secrets: [NEW, OLD] }),
    vector(`${scheme}: in the grace of a rotation, by who knows the old secret`, scheme, {
      headers: signed([OLD, NEW], scheme),
    }),
    vector(`${scheme}: another secret`, scheme, { secrets: [NEW], valid: false }),
    vector(`${scheme}: another body`, scheme, { body: BODY.replace('2500', '2501'), valid: false }),
    vector(`${scheme}: the body as a parser would write it again`, scheme, {
      body: JSON.stringify(paid, null, 1),
      valid: false,
    }),
    vector(`${scheme}: a signature whose first letter differs`, scheme, {
      headers: { ...headers, [header]: spoiled(headers[header] ?? '') },
      valid: false,
    }),
    vector(`${scheme}: half a signature`, scheme, {
      headers: { ...headers, [header]: (headers[header] ?? '').slice(0, 35) },
      valid: false,
    }),
    vector(`${scheme}: an empty signature`, scheme, { headers: { ...headers, [header]: '' }, valid: false }),
    vector(`${scheme}: no signature`, scheme, { headers: without, valid: false }),
  ];
});

const standard = signed([OLD], 'standard');

/**
 * Signs with guessable keys: an empty key, a zero byte, and the bytes that a lenient Base64 decoder reads
 * from an invalid secret. Receivers must refuse these signatures.
 */
function forged(secrets: readonly string[]): Partial<SignatureVector> {
  const head = `${standard['webhook-id']}.${AT}.`;
  const careless = secrets.map((secret) => Buffer.from(secret.slice('whsec_'.length), 'base64'));
  const signatures = [Buffer.alloc(0), Buffer.alloc(1), ...careless.filter(({ length }) => length < 24)].map(
    (key) => `v1,${createHmac('sha256', key).update(head).update(BODY).digest('base64')}`,
  );
  const headers = { ...standard, 'webhook-signature': signatures.join(' ') };
  return { secrets, headers, valid: false };
}

/** Signs with an empty key. An attacker can do this if the receiver's secret is empty. */
function unkeyed(secret: string): Partial<SignatureVector> {
  const digest = createHmac('sha256', secret).update(BODY).digest('hex');
  return { secrets: [secret], headers: { 'X-Webhook-Signature': `sha256=${digest}` }, valid: false };
}

/** The test vectors for receivers in all languages. */
const signatureVectors: readonly SignatureVector[] = [
  ...bothSchemes,
  vector('v1: no scheme before the digits', 'v1', {
    headers: { 'X-Webhook-Signature': (signed([OLD], 'v1')['X-Webhook-Signature'] ?? '').slice(7) },
    valid: false,
  }),
  vector('v1: forged, as the secret is empty', 'v1', unkeyed('')),
  vector('v1: forged, as the secret is blank', 'v1', unkeyed(' ')),
  vector('v1: forged, as the secret is empty behind its prefix', 'v1', unkeyed('whsec_')),
  vector('standard: in the grace of a rotation, by who knows the new secret', 'standard', {
    secrets: [NEW],
    headers: signed([OLD, NEW], 'standard'),
  }),
  vector('standard: a signature of another version beside it', 'standard', {
    headers: { ...standard, 'webhook-signature': `v1a,aGVsbG8= ${standard['webhook-signature']}` },
  }),
  vector('standard: only a signature of another version', 'standard', {
    headers: { ...standard, 'webhook-signature': `v2${standard['webhook-signature']?.slice(2)}` },
    valid: false,
  }),
  vector('standard: five minutes old', 'standard', { now: AT + 300 }),
  vector('standard: older than five minutes', 'standard', { now: AT + 301, valid: false }),
  vector('standard: more than five minutes ahead', 'standard', { now: AT - 301, valid: false }),
  vector('standard: another moment', 'standard', {
    headers: { ...standard, 'webhook-timestamp': String(AT + 1) },
    valid: false,
  }),
  vector('standard: a moment that is no number', 'standard', {
    headers: { ...standard, 'webhook-timestamp': 'now' },
    valid: false,
  }),
  vector('standard: another id', 'standard', {
    headers: { ...standard, 'webhook-id': 'another' },
    valid: false,
  }),
  vector('standard: forged, as the secret is no Base64', 'standard', forged([NO_BASE64])),
  vector('standard: forged, as the second secret is no Base64', 'standard', forged([OLD, NO_BASE64])),
  vector(
    'standard: forged, as the secret is the Base64 of addresses',
    'standard',
    forged(['whsec_-_8gYWRkcmVzc2VzIG1heSBob2xkIHRoaXMgb25lISE']),
  ),
  vector(
    'standard: forged, as the secret has no letter of Base64',
    'standard',
    forged(['whsec_!!!!!!!!!!!!']),
  ),
  vector('standard: forged, as the secret is empty behind its prefix', 'standard', forged(['whsec_'])),
  vector('standard: a key of less than 24 bytes', 'standard', forged(['whsec_c2l4dGVlbiBieXRlcyEhIQ=='])),
];

export function vectorsFile(): string {
  const what =
    'Deliveries of Plataforma, signed by the service itself. A receiver that knows `secrets`, at the ' +
    'second `now`, accepts those that are `valid` and refuses the others. `body` in UTF-8 are the bytes ' +
    'that were signed.';
  return `${JSON.stringify({ what, vectors: signatureVectors }, null, 2)}\n`;
}
