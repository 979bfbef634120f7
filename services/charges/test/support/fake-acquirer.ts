import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  createScript,
  honest,
  type Loopback,
  type Reply,
  type Script,
  sendReply,
  startLoopback,
} from '@plataforma/testing';
import { z } from 'zod';
import { chargeView, createAcquirerBook, orderTaken, orderView } from './acquirer-book.ts';

type CardOperation = 'pay' | 'find' | 'inspect' | 'cancel' | 'list' | 'unknown';

interface Recorded {
  operation: CardOperation;
  /**
   * The subject of the request: for `pay` and `find` the platform's code of the order, otherwise the
   * acquirer's id of the charge.
   */
  about: string;
  key: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface FakeAcquirer extends Loopback, Pick<Script<CardOperation>, 'next' | 'always' | 'clear'> {
  book: ReturnType<typeof createAcquirerBook>;
  requests: Recorded[];
  /** Requests that Pagar.me v5 does not allow. A test fails if this list is not empty. */
  breaches: string[];
  requestsFor(about: string, operation: CardOperation): Recorded[];
}

export const ACCOUNT = {
  secretKey: 'sk_test_segredo_da_plataforma',
  publicKey: 'pk_test_publica',
  tokenizeUrl: 'https://api.pagar.me/core/v5/tokens',
};

const cancelTaken = z.strictObject({ amount: z.int().min(1) });

const refused = (status: number, message: string, errors?: Record<string, string[]>): Reply => ({
  status,
  body: { message, ...(errors ? { errors } : {}) },
});
const tokenRefused = refused(422, 'The request is invalid.', {
  'order.payments[0].credit_card.card_token': ['Token not found.'],
});

/**
 * Starts a fake acquirer with the API of Pagar.me v5. The fake remembers every idempotency key for ever, in
 * one set for all routes.
 */
export async function startFakeAcquirer(): Promise<FakeAcquirer> {
  const book = createAcquirerBook();
  const requests: Recorded[] = [];
  const breaches: string[] = [];
  const script = createScript<CardOperation>();
  const done = new Map<string, { what: string; reply: Reply }>();

  function perform(request: Recorded): Reply {
    const basic = `Basic ${Buffer.from(`${ACCOUNT.secretKey}:`).toString('base64')}`;
    if (request.headers.authorization !== basic) return refused(401, 'Authorization has been denied.');
    const { operation, about } = request;
    if (operation === 'pay') return idempotently(request, () => pay(request));
    if (operation === 'cancel') return idempotently(request, () => cancel(request));
    if (operation === 'find') return { status: 200, body: { data: book.ofOrder(about).map(orderView) } };
    if (operation === 'list') return { status: 200, body: { data: [], paging: { total: 0 } } };
    const payment = book.find(about);
    return payment ? { status: 200, body: chargeView(payment) } : refused(404, 'Charge not found.');
  }

  function idempotently({ operation, about, key }: Recorded, act: () => Reply): Reply {
    if (!key) breaches.push(`${operation} without an Idempotency-Key`);
    const what = `${operation} ${about}`;
    const before = key ? done.get(key) : undefined;
    if (before && before.what !== what) {
      breaches.push(`${operation} under the Idempotency-Key of ${before.what}`);
      return refused(409, 'The Idempotency-Key was used for another request.');
    }
    if (before) return before.reply;
    const reply = act();
    if (key && typeof reply === 'object' && reply.status === 200) done.set(key, { what, reply });
    return reply;
  }

  function pay(request: Recorded): Reply {
    const order = read(orderTaken, request);
    if (!order) return refused(422, 'The request is invalid.');
    const payment = book.take(order);
    return payment ? { status: 200, body: orderView(payment) } : tokenRefused;
  }

  function cancel(request: Recorded): Reply {
    const order = read(cancelTaken, request);
    if (!order || !book.find(request.about)) return refused(404, 'Charge not found.');
    const payment = book.cancel(request.about, order.amount);
    return payment
      ? { status: 200, body: chargeView(payment) }
      : refused(412, 'This charge can not be canceled.');
  }

  /** Parses the body. If the body does not fit the schema, records a breach and returns undefined. */
  function read<T extends z.ZodType>(schema: T, { operation, headers, body }: Recorded) {
    const isJson = headers['content-type'] === 'application/json';
    const result = schema.safeParse(isJson ? JSON.parse(body) : undefined);
    if (!result.success) breaches.push(`${operation}: ${result.error.message}`);
    return result.data;
  }

  const server = await startLoopback(async (request, response) => {
    const recorded = await recordedOf(request);
    requests.push(recorded);
    const { operation } = recorded;
    if (operation === 'unknown') breaches.push(`${request.method} ${request.url}`);
    const behaviour = script.take(operation) ?? honest;
    sendReply(request, response, await behaviour(() => perform(recorded)));
  });
  return {
    ...server,
    book,
    requests,
    breaches,
    ...script,
    requestsFor: (about, operation) =>
      requests.filter((request) => request.about === about && request.operation === operation),
  };
}

async function recordedOf(request: IncomingMessage): Promise<Recorded> {
  const body = await text(request);
  const key = request.headers['idempotency-key'];
  return {
    ...targetOf(request, body),
    key: typeof key === 'string' ? key : undefined,
    headers: request.headers,
    body,
  };
}

const coded = z.object({ code: z.string() });

function targetOf(
  { method, url = '' }: IncomingMessage,
  body: string,
): Pick<Recorded, 'operation' | 'about'> {
  const { pathname, searchParams } = new URL(url, 'http://acquirer');
  const [, path = ''] = /^\/core\/v5(\/.*)$/.exec(pathname) ?? [];
  const [, about = ''] = /^\/charges\/(\w+)$/.exec(path) ?? [];
  if (method === 'POST' && path === '/orders') return { operation: 'pay', about: codeIn(body) };
  if (method === 'GET' && path === '/orders')
    return { operation: 'find', about: searchParams.get('code') ?? '' };
  if (method === 'GET' && about) return { operation: 'inspect', about };
  if (method === 'DELETE' && about) return { operation: 'cancel', about };
  if (method === 'GET' && path === '/charges') return { operation: 'list', about: '' };
  return { operation: 'unknown', about: '' };
}

function codeIn(body: string): string {
  return coded.safeParse(JSON.parse(body)).data?.code ?? '';
}
