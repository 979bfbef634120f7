import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createAuthority, startLoopback } from '@plataforma/testing';
import type { Received } from '../check/evidence.ts';
import type { Dice } from '../dice.ts';
import { type Character, type Manner, mannerOf, promptly } from './shop-manners.ts';

interface Webhook extends Received {
  headers: IncomingHttpHeaders;
}

export interface Shops {
  /**
   * Returns an address of a merchant's server with the given behaviour, which lasts until `mend` is called.
   * `purpose` makes the address unique. The random behaviour depends only on the three arguments, and not on
   * the order of the calls.
   */
  urlFor(address: { character: Character; merchant: string; purpose: string }): string;
  /** Adds a webhook secret of the merchant. Older secrets stay valid for earlier signatures. */
  learns(merchant: string, secret: string): void;
  readonly received: readonly Webhook[];
  /** Makes every address answer 200 from now on. */
  mend(): void;
  stop(): Promise<void>;
}

export async function openShops(dice: Dice): Promise<Shops> {
  const received: Webhook[] = [];
  const manners = new Map<string, Manner>();
  const secrets = new Map<string, Set<string>>();
  let isMended = false;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { url: path = '/', headers } = request;
    const body = Buffer.concat(chunks);
    const webhook: Webhook = {
      configurationPath: path,
      id: textIn(headers, 'x-webhook-id') ?? '',
      signature: textIn(headers, 'x-webhook-signature'),
      headers,
      body,
      at: Date.now(),
      status: null,
      // Checks the signature at each read, because the response with a new secret may arrive after the first
      // webhook that this secret signs.
      get isSigned() {
        return [...(secrets.get(merchantIn(path)) ?? [])].some((secret) => isBy(secret, { headers, body }));
      },
    };
    received.push(webhook);
    response.on('finish', () => {
      webhook.status = response.statusCode;
    });
    const manner = isMended ? promptly : (manners.get(path) ?? promptly);
    manner(response);
  }

  const server = await startLoopback(receive);
  const stranger = await createAuthority('an authority that nobody trusts');
  const distrusted = await startLoopback(receive, await stranger.issue('shop'));
  const origins: Partial<Record<Character, string>> = {
    distrusted: distrusted.url,
    'without TLS': server.url.replace('http:', 'https:'),
  };
  return {
    received,
    urlFor({ character, merchant, purpose }) {
      const path = `/${[merchant, character, purpose].map(pathOf).join('/')}`;
      manners.set(path, mannerOf(character, dice.named(path)));
      return (origins[character] ?? server.url) + path;
    },
    learns(merchant, secret) {
      const ownSecrets = secrets.get(pathOf(merchant)) ?? new Set();
      secrets.set(pathOf(merchant), ownSecrets.add(secret));
    },
    mend() {
      isMended = true;
    },
    async stop() {
      await Promise.all([server.stop(), distrusted.stop()]);
    },
  };
}

const pathOf = (name: string) => name.replaceAll(' ', '-');
const merchantIn = (path: string) => path.split('/')[1] ?? '';

function textIn(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

/**
 * Returns whether this secret signed the webhook. If the webhook has a Standard Webhooks signature, that
 * signature must be right too.
 */
function isBy(secret: string, { headers, body }: Pick<Webhook, 'headers' | 'body'>): boolean {
  const own = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  if (textIn(headers, 'x-webhook-signature') !== own) return false;
  const standard = textIn(headers, 'webhook-signature');
  if (standard === null) return true;
  const key = secret.startsWith('whsec_')
    ? Buffer.from(secret.slice('whsec_'.length), 'base64')
    : Buffer.from(secret);
  const head = `${textIn(headers, 'webhook-id')}.${textIn(headers, 'webhook-timestamp')}.`;
  return standard === `v1,${createHmac('sha256', key).update(head).update(body).digest('base64')}`;
}
