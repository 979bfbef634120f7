import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { z } from 'zod';
import { cobPath, cobRemovida, cobSolicitada, devolucaoPath, devolucaoSolicitada } from './api-pix.ts';
import { type Loopback, startLoopback } from './loopback.ts';
import { cobView, createPixBook } from './pix-book.ts';

export type Operation = 'token' | 'create' | 'read' | 'remove' | 'pay' | 'list' | 'refund' | 'unknown';

export type Reply =
  | { status: number; body: unknown }
  | { status: number; text: string }
  | 'reset'
  | 'silence';

/**
 * What becomes of a request: `perform` does what was asked for and says what an honest provider would answer.
 */
export type Behaviour = (perform: () => Reply) => Reply | Promise<Reply>;

interface Recorded {
  operation: Operation;
  txid: string;
  id: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** When it came, in milliseconds of the epoch. */
  at: number;
}

export interface FakePix extends Loopback {
  book: ReturnType<typeof createPixBook>;
  requests: Recorded[];
  /** Requests that API Pix does not allow; a test that ends with any is red. */
  breaches: string[];
  /** How the next requests of this kind are met, one behaviour each. */
  next(operation: Operation, ...behaviours: Behaviour[]): void;
  /** How requests of this kind are met from now on; obediently when left out. */
  always(operation: Operation, behaviour?: Behaviour): void;
  /** Ends every token that was given out. */
  endTokens(): void;
  requestsFor(txid: string, operation: Operation): Recorded[];
}

export const CLIENT = { id: 'plataforma', secret: 'segredo-do-provedor' };

const problem = (status: number, type: string): Reply => ({
  status,
  body: { type: `https://pix.bcb.gov.br/api/v2/error/${type}`, title: type, status },
});

/**
 * A Pix provider as the platform sees one, with a payer's bank at /control. Does all at once and forgets
 * nothing.
 */
export async function startFakePix(): Promise<FakePix> {
  const book = createPixBook();
  const requests: Recorded[] = [];
  const breaches: string[] = [];
  const queued = new Map<Operation, Behaviour[]>();
  const standing = new Map<Operation, Behaviour>();
  let tokens = new Set<string>();

  function perform(request: Recorded): Reply {
    if (request.operation === 'token') return giveToken(request);
    if (request.operation === 'pay') return pay(request);
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    if (!tokens.has(token)) return problem(401, 'AcessoNegado');
    if (request.operation === 'create') return create(request);
    if (request.operation === 'remove') return remove(request);
    if (request.operation === 'list') return { status: 200, body: { pix: [], infracoes: [] } };
    if (request.operation === 'refund') return refund(request);
    const cob = book.find(request.txid);
    return cob ? { status: 200, body: cobView(cob) } : problem(404, 'CobNaoEncontrado');
  }

  function giveToken({ headers, body }: Recorded): Reply {
    const basic = `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')}`;
    if (headers.authorization !== basic || body !== 'grant_type=client_credentials') breaches.push('token');
    const value = `token-${requests.length}`;
    tokens.add(value);
    return { status: 200, body: { access_token: value, token_type: 'Bearer', expires_in: 3600 } };
  }

  /** The body as the schema has it; undefined, and a breach, when it is not. */
  function read<T extends z.ZodType>(schema: T, { operation, headers, body }: Recorded) {
    const isJson = headers['content-type'] === 'application/json';
    const result = schema.safeParse(isJson ? JSON.parse(body) : undefined);
    if (!result.success) breaches.push(`${operation}: ${result.error.message}`);
    return result.data;
  }

  function create(request: Recorded): Reply {
    const terms = read(cobSolicitada, request);
    const cob = terms && book.put(request.txid, terms);
    return cob ? { status: 201, body: cobView(cob) } : problem(400, 'CobOperacaoInvalida');
  }

  function remove(request: Recorded): Reply {
    const cob = read(cobRemovida, request) && book.remove(request.txid);
    if (cob) return { status: 200, body: cobView(cob) };
    return book.find(request.txid) ? problem(400, 'CobOperacaoInvalida') : problem(404, 'CobNaoEncontrado');
  }

  /** Done at once, whatever the payment. */
  function refund(request: Recorded): Reply {
    const order = read(devolucaoSolicitada, request);
    const { id } = request;
    return order
      ? { status: 201, body: { id, rtrId: `D${id}`, valor: order.valor, status: 'DEVOLVIDO' } }
      : problem(400, 'PixDevolucaoInvalida');
  }

  function pay({ txid }: Recorded): Reply {
    const cob = book.find(txid);
    return cob
      ? { status: 200, body: { payments: book.pay(txid, { insists: true }) } }
      : problem(404, 'NaoEncontrado');
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers } = request;
    const recorded = { ...targetOf(request), headers, body: await text(request), at: Date.now() };
    requests.push(recorded);
    if (recorded.operation === 'unknown') breaches.push(`${request.method} ${request.url}`);
    const { operation } = recorded;
    const behaviour = queued.get(operation)?.shift() ?? standing.get(operation) ?? obey;
    const reply = await behaviour(() => perform(recorded));
    if (reply === 'silence') return;
    if (reply === 'reset') request.socket.resetAndDestroy();
    else response.writeHead(reply.status, { 'content-type': 'application/json' }).end(textOf(reply));
  }

  const server = await startLoopback(receive);
  return {
    ...server,
    book,
    requests,
    breaches,
    next: (operation, ...behaviours) => void queued.set(operation, behaviours),
    always: (operation, behaviour = obey) => void standing.set(operation, behaviour),
    endTokens() {
      tokens = new Set();
    },
    requestsFor: (txid, operation) =>
      requests.filter((request) => request.txid === txid && request.operation === operation),
  };
}

const obey: Behaviour = (perform) => perform();

function textOf(reply: { body: unknown } | { text: string }): string {
  return 'text' in reply ? reply.text : JSON.stringify(reply.body);
}

const operations: Record<string, Operation> = { PUT: 'create', GET: 'read', PATCH: 'remove' };

interface Target {
  operation: Operation;
  /** Of a refund: the payment's number. */
  txid: string;
  id: string;
}

function targetOf({ method = '', url = '' }: IncomingMessage): Target {
  return { id: '', ...namedBy(method, url) };
}

function namedBy(method: string, url: string): Pick<Target, 'operation' | 'txid'> & { id?: string } {
  if (method === 'POST' && url === '/oauth/token') return { operation: 'token', txid: '' };
  const [, number = '', id = ''] = devolucaoPath.exec(url) ?? [];
  if (method === 'PUT' && number) return { operation: 'refund', txid: number, id };
  if (method === 'GET' && /^\/v2\/(pix|gn\/infracoes)\?/.test(url)) return { operation: 'list', txid: '' };
  const paid = /^\/control\/pix\/(\w+)\/pay$/.exec(url)?.[1];
  if (method === 'POST' && paid) return { operation: 'pay', txid: paid };
  const txid = cobPath.exec(url)?.[1];
  return { operation: (txid && operations[method]) || 'unknown', txid: txid ?? '' };
}
