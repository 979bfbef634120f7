import { afterAll } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { type FakeMerchant, startFakeMerchant } from '@plataforma/testing';
import { beforeFile, NO_BROKER, shareWorld, startServiceWorld } from '@plataforma/testing/world';
import { z } from 'zod';
import { migrations } from '../migrations/index.ts';
import { type SandboxPsp, startSandboxPsp } from '../src/service.ts';
import { cobCompleta, cobGerada, pix, problema, token } from './published-shapes.ts';

export const SHOP = {
  id: 'shop',
  secret: 'secret-of-the-shop',
  pixKey: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
};
export const OTHER = { id: 'other', secret: 'secret-of-the-other', pixKey: 'other@example.com' };

/** The shop's keys for the card API. */
export const CARDS = { publicKey: 'pk_test_shop', secretKey: 'sk_test_of_the_shop' };
export const OTHER_CARDS = { publicKey: 'pk_test_other', secretKey: 'sk_test_of_the_other' };

export interface Answer {
  status: number;
  type: string;
  text: string;
  body: unknown;
}

export type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

type Tuning = Parameters<typeof startSandboxPsp>[1];

/** A sandbox provider with two receivers, and an HTTP server that acts as the first receiver. */
export interface Bank extends SandboxPsp {
  env: Record<string, string>;
  database: Database;
  receiver: FakeMerchant;
  call: Call;
  close(): Promise<void>;
}

async function startBankWorld(overrides: Record<string, string> = {}, tuning: Tuning = {}) {
  const receiver = await startFakeMerchant();
  return startServiceWorld({
    start: startSandboxPsp,
    tuning,
    migrations,
    fakes: { receiver },
    brokerUrl: NO_BROKER,
    settings: { ...settingsFor(receiver.url), ...overrides },
  });
}

async function bankIn(world: Awaited<ReturnType<typeof startBankWorld>>): Promise<Bank> {
  const { env, database, first, receiver, stop } = world;
  return {
    ...first,
    env,
    database,
    receiver,
    call: await caller(first.url, SHOP),
    close: stop,
  };
}

export async function startBank(...options: Parameters<typeof startBankWorld>): Promise<Bank> {
  return bankIn(await startBankWorld(...options));
}

/**
 * Returns a provider that several test files of a worker process share. Their tests may change only the rows
 * that they created.
 */
export function sharedBankWorld(): Bank {
  return bankOfFile(async () => {
    const start = startBankWorld;
    const reset = async ({ receiver }: { receiver: FakeMerchant }) =>
      receiver.answer(() => ({ status: 200 }));
    return bankIn(await shareWorld({ name: 'sandbox-psp', start, reset }));
  });
}

/**
 * Returns a provider for one test file. A test file needs its own provider if it sets options, starts
 * replicas or tests all rows.
 */
export function ownBank(...options: Parameters<typeof startBankWorld>): Bank {
  return bankOfFile(() => startBank(...options));
}

export function bankOfFile(start: () => Promise<Bank>): Bank {
  const bank = beforeFile(start);
  afterAll(() => bank.close());
  return bank;
}

function settingsFor(receiverUrl: string): Record<string, string> {
  return {
    CONTROL_PORT: '0',
    CLIENTS: JSON.stringify([
      {
        ...SHOP,
        callbackUrl: `${receiverUrl}/callbacks/pix?hmac=abc`,
        cards: { ...CARDS, callbackUrl: `${receiverUrl}/callbacks/acquirer` },
      },
      {
        ...OTHER,
        callbackUrl: `${receiverUrl}/other`,
        cards: { ...OTHER_CARDS, callbackUrl: `${receiverUrl}/other-cards` },
      },
    ]),
  };
}

export async function caller(url: string, client: { id: string; secret: string }): Promise<Call> {
  const authorization = `Bearer ${await tokenFor(url, client)}`;
  return (method, path, body) => send(url + path, { method, headers: { authorization } }, body);
}

export async function tokenFor(url: string, { id, secret }: { id: string; secret: string }): Promise<string> {
  const answer = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return token.parse(await answer.json()).access_token;
}

export async function send(
  url: string,
  init: RequestInit & { headers?: Record<string, string> },
  body?: unknown,
) {
  const json = { ...init.headers, 'content-type': 'application/json' };
  const response = await fetch(
    url,
    body === undefined ? init : { ...init, headers: json, body: JSON.stringify(body) },
  );
  const text = await response.text();
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    text,
    body: parsed(text),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const times = (count: number) => Array.from({ length: count }, (_, index) => index);

export function newTxid(): string {
  return crypto.randomUUID().replaceAll('-', '');
}

export const removal = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };

export const order = {
  calendario: { expiracao: 3600 },
  devedor: { cpf: '52513127765', nome: 'Maria da Silva' },
  valor: { original: '37.00' },
  chave: SHOP.pixKey,
  solicitacaoPagador: 'Pedido 123',
};

/** Creates a charge of the shop. The default amount is 37.00. */
export async function createCharge({ call }: { call: Call }, body: unknown = order) {
  const answer = await call('PUT', `/v2/cob/${newTxid()}`, body);
  return cobGerada.parse(answer.body);
}

export async function readCharge({ call }: { call: Call }, txid: string) {
  const answer = await call('GET', `/v2/cob/${txid}`);
  return cobCompleta.parse(answer.body);
}

const paid = z.strictObject({
  payments: z.array(pix.pick({ endToEndId: true, valor: true, horario: true }).strict()),
});

export async function pay(bank: { controlUrl: string }, txid: string, body?: unknown) {
  return paid.parse(await control(bank, `pix/${txid}/pay`, body)).payments;
}

const truth = z.strictObject({
  charges: z.array(z.looseObject({ clientId: z.string(), txid: z.string(), status: z.string() })),
  payments: z.array(
    z.looseObject({
      endToEndId: z.string(),
      txid: z.string().optional(),
      valor: z.string(),
      callback: z.strictObject({ state: z.string(), attempts: z.int() }).nullable(),
    }),
  ),
  refunds: z.array(
    z.looseObject({
      clientId: z.string(),
      endToEndId: z.string(),
      txid: z.string().optional(),
      id: z.string(),
      valor: z.string(),
      status: z.string(),
    }),
  ),
  infractions: z.array(z.looseObject({ clientId: z.string(), idInfracao: z.string(), txid: z.string() })),
  payouts: z.array(z.looseObject({ clientId: z.string(), idEnvio: z.string(), status: z.string() })),
  cardCharges: z.array(z.looseObject({ clientId: z.string(), code: z.string(), status: z.string() })),
});

export async function wholeTruth(bank: { controlUrl: string }) {
  return truth.parse((await send(`${bank.controlUrl}/control/truth`, {})).body);
}

export async function truthOf(bank: { controlUrl: string }, txid: string) {
  const { charges, payments, refunds } = await wholeTruth(bank);
  return {
    charges: charges.filter((it) => it.txid === txid),
    payments: payments.filter((it) => it.txid === txid),
    refunds: refunds.filter((it) => it.txid === txid),
  };
}

export function askControl({ controlUrl }: { controlUrl: string }, path: string, body?: unknown) {
  return send(`${controlUrl}/control/${path}`, { method: 'POST' }, body);
}

/** Sends a POST request to the control API. Throws if the API refuses the request. */
export async function control(bank: { controlUrl: string }, path: string, body?: unknown) {
  const answer = await askControl(bank, path, body);
  if (answer.status !== 200) throw new Error(`${path} was refused with ${answer.status}: ${answer.text}`);
  return answer.body;
}

/** Returns the fields of a problem response that the tests compare. */
export function problemIn(answer: Answer) {
  const { type, status, violacoes = [] } = problema.parse(answer.body);
  return {
    code: type.split('/').at(-1),
    status,
    answered: answer.status,
    type: answer.type.split(';')[0],
    fields: violacoes.map(({ propriedade }) => propriedade),
  };
}

/** Returns the value that a test expects `problemIn` to return. */
export function problem(status: number, code: string, fields: string[] = []) {
  return { code, status, answered: status, type: 'application/problem+json', fields };
}
