import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { scopes } from '@plataforma/contracts';
import { z } from 'zod';
import { newCnpj } from '../../src/fixtures/index.ts';
import { eventually } from '../../src/index.ts';
import { promisesOf } from './promises.ts';

const envelope = z.object({
  success: z.boolean(),
  data: z.unknown().optional(),
  meta: z.unknown().optional(),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      reason: z.string().optional(),
      otpauth: z.string().optional(),
    })
    .optional(),
});

export interface Answer {
  status: number;
  headers: Headers;
  body: z.infer<typeof envelope>;
  /** The field `data` of the answer; an empty object if `data` is not an object. */
  data: Record<string, unknown>;
  list: Record<string, unknown>[];
}

const record = z.record(z.string(), z.unknown());

interface SentRequest {
  method: string;
  path: string;
}

export interface Credentials {
  key?: string;
  /** The access token, or a function that returns the current one. */
  bearer?: string | (() => Promise<string>);
  headers?: Record<string, string>;
  /** Called with the status and text of each answer, and with the request. */
  overhear?: (status: number, text: string, request: SentRequest) => void;
}

export interface Client {
  /** Returns a client of the same platform with other credentials. */
  as(credentials: Credentials): Client;
  call(method: string, path: string, sending?: { body?: object; key?: string }): Promise<Answer>;
  get(path: string): Promise<Answer>;
  /** Sends a POST request with this body. `key` is sent as the Idempotency-Key. */
  post(path: string, body?: object, key?: string): Promise<Answer>;
  patch(path: string, body: object): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

/**
 * Returns a client that calls the platform as a merchant's system, a dashboard or an operator. Throws if an
 * answer does not match the OpenAPI document.
 */
export function clientOf(baseUrl: string, credentials: Credentials = {}): Client {
  const headers: Record<string, string> = { ...credentials.headers };
  const { overhear } = credentials;
  if (credentials.key) headers['x-api-key'] = credentials.key;
  const bearer = async () => {
    const token = typeof credentials.bearer === 'function' ? await credentials.bearer() : credentials.bearer;
    return token ? { authorization: `Bearer ${token}` } : {};
  };

  async function call(method: string, path: string, { body, key }: { body?: object; key?: string } = {}) {
    const isForm = body instanceof FormData;
    const init = {
      method,
      headers: {
        ...(isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
        ...(await bearer()),
        ...(key ? { 'idempotency-key': key } : {}),
      },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    };
    const promises = await promisesOf(baseUrl);
    const response = await fetch(baseUrl + path, init);
    const { status, headers: answerHeaders } = response;
    const text = await response.text();
    overhear?.(status, text, { method, path });
    const answered: unknown = JSON.parse(text);
    promises.expectAnswer({ method, path, status, headers: answerHeaders, body: answered });
    const parsed = envelope.parse(answered);
    return {
      status,
      headers: answerHeaders,
      body: parsed,
      data: record.safeParse(parsed.data).data ?? {},
      list: z.array(record).safeParse(parsed.data).data ?? [],
    };
  }

  return {
    as: (others) => clientOf(baseUrl, { ...(overhear ? { overhear } : {}), ...others }),
    call,
    get: (path) => call('GET', path),
    post: (path, body, key) => call('POST', path, { ...(body ? { body } : {}), ...(key ? { key } : {}) }),
    patch: (path, body) => call('PATCH', path, { body }),
    delete: (path) => call('DELETE', path),
  };
}

let orders = 0;

/** Returns the body of a request for a charge, with a new external id. */
export function anOrder(changes: object = {}) {
  orders += 1;
  return {
    amount: 2_500,
    externalId: `order-${process.pid}-${Date.now()}-${orders}`,
    payerName: 'Maria da Silva',
    payerDocument: '12345678909',
    ...changes,
  };
}

/** Registers a merchant, and creates a sandbox API key with all scopes. */
export async function openAccount(anyone: Client) {
  const account = {
    email: `dono-${randomUUID()}@loja.test`,
    password: 'uma senha comprida',
    companyName: 'Loja da Maria',
    cnpj: newCnpj(),
    phone: '11987654321',
  };
  // The request is repeated, because the platform computes only a few password hashes at a time and refuses
  // other requests.
  const accessToken = await eventually(async () => {
    const { status, data } = await anyone.post('/v1/auth/register', account);
    expect(status).toBe(201);
    return String(data.accessToken);
  });
  const session = anyone.as({ bearer: accessToken });
  const { data } = await session.post('/v1/api-keys', { name: 'loja', environment: 'sandbox', scopes });
  const key = String(data.key);
  return { account, accessToken, session, key, merchant: anyone.as({ key }) };
}

/** Registers a webhook for all events of a merchant. The returned function removes the webhook. */
export async function subscribeWebhooks(merchant: Client, url: string): Promise<() => Promise<void>> {
  const { data } = await merchant.post('/v1/webhook-config', { url });
  return async () => {
    await merchant.delete(`/v1/webhook-config/${data.id}`);
  };
}
