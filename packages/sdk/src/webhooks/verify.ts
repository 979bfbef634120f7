import type { WebhookEvent } from '@plataforma/contracts';
import { headerIn, type WebhookHeaders } from './headers.ts';
import { WebhookSignatureError } from './signature-error.ts';

export interface VerifyOptions {
  /** That of the configuration; while one is being rotated, both. */
  secret: string | readonly string[];
  /**
   * `standard`: the headers of Standard Webhooks, and nothing else; `v1`: `X-Webhook-Signature`. Left out: `standard` where
   * its headers are there.
   */
  scheme?: 'v1' | 'standard';
  /** How old, or how far ahead, what is signed by `standard` may be: 300 by default. */
  toleranceSeconds?: number;
  /** The time, in milliseconds. */
  now?: () => number;
}

const SECRET_PREFIX = 'whsec_';
const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/**
 * The event that was posted, once its signature is verified over the very bytes that came. `signature` is the header
 * `X-Webhook-Signature`, or all headers of the request.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  signature: string | WebhookHeaders | null | undefined,
  secret: string | readonly string[] | VerifyOptions,
): Promise<WebhookEvent> {
  const options = optionsOf(secret);
  const body = typeof rawBody === 'string' ? bytesOf(rawBody) : rawBody;
  const headers = typeof signature === 'string' ? { 'x-webhook-signature': signature } : (signature ?? {});
  const { scheme = headerIn(headers, 'webhook-signature') === undefined ? 'v1' : 'standard' } = options;
  const { keys, content, signatures } = (scheme === 'v1' ? contractSigned : standardSigned)(
    body,
    headers,
    options,
  );
  if (signatures.length === 0) {
    throw new WebhookSignatureError('missing', `the request has no signature of the scheme ${scheme}`);
  }
  for (const key of keys) {
    const imported = await crypto.subtle.importKey('raw', key, HMAC, false, ['verify']);
    for (const signature of signatures) {
      // Compared in constant time by the runtime.
      if (await crypto.subtle.verify('HMAC', imported, signature, content)) {
        return JSON.parse(new TextDecoder().decode(body));
      }
    }
  }
  throw new WebhookSignatureError(
    'wrong',
    'no signature fits: is this the secret of the webhook, and the body as it came, before any parser?',
  );
}

type Bytes = Uint8Array<ArrayBuffer>;
type Signed = { keys: Bytes[]; content: Bytes; signatures: Bytes[] };

/** Checked where a handler is made, too: a setting that is missing is found before the first event. */
export function optionsOf(secret: string | readonly string[] | VerifyOptions) {
  const options = typeof secret === 'object' && 'secret' in secret ? secret : { secret };
  const secrets = [options.secret].flat();
  if (secrets.length === 0 || secrets.some((each) => typeof each !== 'string' || each === '')) {
    throw new TypeError('the secret of the webhook is missing');
  }
  return { ...options, secrets };
}

type Options = ReturnType<typeof optionsOf>;

/** The whole text of the secret signs the body. */
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

/** Standard Webhooks 1.0.0: id and moment are signed, too, and a header may hold several signatures. */
function standardSigned(body: Uint8Array, headers: WebhookHeaders, options: Options): Signed {
  const { secrets, toleranceSeconds = 300, now = Date.now } = options;
  const [id, timestamp = '', list = ''] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headerIn(headers, name),
  );
  const age = now() / 1000 - Number(timestamp);
  if (/^\d+$/.test(timestamp) && Math.abs(age) > toleranceSeconds) {
    throw new WebhookSignatureError(
      'expired',
      `signed ${Math.round(age)} s ago, by the clock of this machine`,
    );
  }
  const head = bytesOf(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  const given = list.split(' ').flatMap((each) => (each.startsWith('v1,') ? [base64Of(each.slice(3))] : []));
  const isWhole = id !== undefined && /^\d+$/.test(timestamp);
  return { keys: secrets.map(standardKeyOf), content, signatures: isWhole ? given : [] };
}

function standardKeyOf(secret: string): Bytes {
  return secret.startsWith(SECRET_PREFIX) ? base64Of(secret.slice(SECRET_PREFIX.length)) : bytesOf(secret);
}

/** What is no Base64 is one byte that signs nothing. */
function base64Of(text: string): Bytes {
  try {
    return Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
  } catch {
    return new Uint8Array(1);
  }
}

function bytesOf(text: string): Bytes {
  return new TextEncoder().encode(text);
}
