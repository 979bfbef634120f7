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
import { cobPath, cobRemovida, cobSolicitada, devolucaoPath, devolucaoSolicitada } from './api-pix.ts';
import { createFakeControl } from './fake-control.ts';
import { cobView, createPixBook } from './pix-book.ts';

export type Operation =
  | 'token'
  | 'create'
  | 'read'
  | 'remove'
  | 'pay'
  | 'dispute'
  | 'charge-back'
  | 'undo-chargeback'
  | 'take-back'
  | 'find-infraction'
  | 'refund'
  | 'find-refund'
  | 'list-payments'
  | 'list-infractions'
  | 'defend'
  | 'defend-file'
  | 'unknown';

interface Recorded {
  operation: Operation;
  /**
   * The subject of the request: the txid of a charge, the endToEndId for a refund, or the infraction's id for
   * a defense and its files.
   */
  txid: string;
  id: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
  /** The time at which the request arrived, in milliseconds since the epoch. */
  at: number;
}

export interface FakePix extends Loopback, Pick<Script<Operation>, 'next' | 'always' | 'clear'> {
  book: ReturnType<typeof createPixBook>;
  requests: Recorded[];
  /** Requests that API Pix does not allow. A test fails if this list is not empty. */
  breaches: string[];
  endTokens(): void;
  requestsFor(txid: string, operation: Operation): Recorded[];
}

export const CLIENT = { id: 'plataforma', secret: 'segredo-do-provedor' };

const problem = (status: number, type: string): Reply => ({
  status,
  body: { type: `https://pix.bcb.gov.br/api/v2/error/${type}`, title: type, status },
});

/**
 * Starts a fake Pix provider, and a payer's bank under the path /control. The fake handles each request at
 * once and keeps all data.
 */
export async function startFakePix(): Promise<FakePix> {
  const book = createPixBook();
  const requests: Recorded[] = [];
  const breaches: string[] = [];
  const script = createScript<Operation>();
  const control = createFakeControl(book);
  let tokens = new Set<string>();

  const authorized: Partial<Record<Operation, (request: Recorded) => Reply>> = {
    create,
    remove,
    refund,
    defend,
    'defend-file': takeFile,
    'find-refund': findRefund,
    'find-infraction': ({ txid: id }) => {
      const infracao = book.infractions.all().find(({ idInfracao }) => idInfracao === id);
      return infracao ? { status: 200, body: infracao } : problem(404, 'infracao_nao_encontrada');
    },
    'list-payments': ({ query }) => listOf(query, 'pix', within(query, book.listed, 'horario')),
    'list-infractions': ({ query }) =>
      listOf(query, 'infracoes', within(query, book.infractions.all(), 'criacao')),
  };

  function perform(request: Recorded): Reply {
    if (request.operation === 'token') return giveToken(request);
    if (request.operation === 'pay') return control.pay(request.txid, request.body);
    if (request.operation === 'dispute') return control.dispute(request.txid, request.body);
    if (request.operation === 'charge-back') return control.chargeBack();
    if (['undo-chargeback', 'take-back'].includes(request.operation)) return { status: 200, body: {} };
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    if (!tokens.has(token)) return problem(401, 'AcessoNegado');
    const handler = authorized[request.operation];
    if (handler) return handler(request);
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

  /** Parses the body. If the body does not fit the schema, records a breach and returns undefined. */
  function read<T extends z.ZodType>(schema: T, { operation, headers, body }: Recorded) {
    const isJson = headers['content-type'] === 'application/json';
    const result = schema.safeParse(isJson ? JSON.parse(body) : undefined);
    if (!result.success) breaches.push(`${operation}: ${result.error.message}`);
    return result.data;
  }

  function create(request: Recorded): Reply {
    const fields = read(cobSolicitada, request);
    const cob = fields && book.put(request.txid, fields);
    return cob ? { status: 201, body: cobView(cob) } : problem(400, 'CobOperacaoInvalida');
  }

  function remove(request: Recorded): Reply {
    const cob = read(cobRemovida, request) && book.remove(request.txid);
    if (cob) return { status: 200, body: cobView(cob) };
    return book.find(request.txid) ? problem(400, 'CobOperacaoInvalida') : problem(404, 'CobNaoEncontrado');
  }

  function refund(request: Recorded): Reply {
    const order = read(devolucaoSolicitada, request);
    const { txid, id } = request;
    const devolucao = order && book.returns.put(txid, id, order.valor);
    return devolucao ? { status: 201, body: { ...devolucao } } : problem(400, 'PixDevolucaoInvalida');
  }

  function findRefund({ txid, id }: Recorded): Reply {
    const devolucao = book.returns.find(txid, id);
    return devolucao ? { status: 200, body: { ...devolucao } } : problem(404, 'PixDevolucaoNaoEncontrada');
  }

  function defend(request: Recorded): Reply {
    const defesa = read(defesaEnviada, request);
    const infracao = defesa && book.infractions.defend(request.txid, defesa);
    return infracao ? { status: 200, body: infracao } : problem(404, 'infracao_nao_encontrada');
  }

  function takeFile(request: Recorded): Reply {
    const arquivo = read(arquivoEnviado, request);
    const isTaken = arquivo && book.infractions.takeFile(request.txid, { id: request.id, ...arquivo });
    return isTaken ? { status: 200, body: {} } : problem(404, 'infracao_nao_encontrada');
  }

  const server = await startLoopback(async (request, response) => {
    const { headers } = request;
    const recorded = { ...targetOf(request), headers, body: await text(request), at: Date.now() };
    requests.push(recorded);
    const isProviderFault = request.url?.startsWith('/control/weather/');
    if (recorded.operation === 'unknown' && !isProviderFault)
      breaches.push(`${request.method} ${request.url}`);
    const behaviour = script.take(recorded.operation) ?? honest;
    sendReply(request, response, await behaviour(() => perform(recorded)));
  });
  return {
    ...server,
    book,
    requests,
    breaches,
    ...script,
    endTokens() {
      tokens = new Set();
    },
    requestsFor: (txid, operation) =>
      requests.filter((request) => request.txid === txid && request.operation === operation),
  };
}

const defesaEnviada = z.strictObject({
  descricao: z.string().min(1),
  documentos: z.array(z.string()),
  arquivos: z.array(z.uuid()).min(1).optional(),
});

const arquivoEnviado = z.strictObject({
  nome: z.string().min(1),
  tipo: z.enum(['application/pdf', 'image/png', 'image/jpeg']),
  conteudo: z.base64(),
});

/** Selects the items of a list in the requested period, including its first and last moment. */
function within<K extends string, T extends Record<K, string>>(
  query: URLSearchParams,
  items: readonly T[],
  at: K,
): T[] {
  const [from, to] = [query.get('inicio') ?? '', query.get('fim') ?? ''].map(Date.parse);
  return items.filter((item) => Date.parse(item[at]) >= Number(from) && Date.parse(item[at]) <= Number(to));
}

function listOf(query: URLSearchParams, field: string, items: readonly unknown[]): Reply {
  const page = Number(query.get('paginacao.paginaAtual'));
  const size = Number(query.get('paginacao.itensPorPagina'));
  const paginacao = { quantidadeDePaginas: Math.ceil(items.length / size) };
  return {
    status: 200,
    body: { parametros: { paginacao }, [field]: items.slice(page * size, (page + 1) * size) },
  };
}

type Target = Pick<Recorded, 'operation' | 'txid' | 'id' | 'query'>;

function targetOf({ method = '', url = '' }: IncomingMessage): Target {
  const { pathname, searchParams: query } = new URL(url, 'http://provider');
  return { id: '', txid: '', query, ...namedBy(`${method} ${pathname}`) };
}

const targets: [RegExp, Operation][] = [
  [/^POST \/oauth\/token$/, 'token'],
  [/^POST \/control\/pix\/(\w+)\/pay$/, 'pay'],
  [/^POST \/control\/pix\/(\w+)\/dispute$/, 'dispute'],
  [/^POST \/control\/cards\/([\w-]+)\/chargeback$/, 'charge-back'],
  [/^POST \/control\/cards\/([\w-]+)\/undo-chargeback$/, 'undo-chargeback'],
  [/^POST \/control\/pix\/(\w+)\/take-back$/, 'take-back'],
  [/^GET \/v2\/gn\/infracoes\/([\w-]+)$/, 'find-infraction'],
  [onPath('PUT', devolucaoPath), 'refund'],
  [onPath('GET', devolucaoPath), 'find-refund'],
  [/^GET \/v2\/pix$/, 'list-payments'],
  [/^GET \/v2\/gn\/infracoes$/, 'list-infractions'],
  [/^POST \/v2\/gn\/infracoes\/([\w-]+)\/defesa$/, 'defend'],
  [/^PUT \/v2\/gn\/infracoes\/([\w-]+)\/arquivos\/([\w-]+)$/, 'defend-file'],
  [onPath('PUT', cobPath), 'create'],
  [onPath('GET', cobPath), 'read'],
  [onPath('PATCH', cobPath), 'remove'],
];

function onPath(method: string, { source }: RegExp): RegExp {
  return new RegExp(`^${method} ${source.slice(1)}`);
}

function namedBy(line: string): { operation: Operation; txid?: string; id?: string } {
  for (const [shape, operation] of targets) {
    const [found, txid = '', id = ''] = shape.exec(line) ?? [];
    if (found) return { operation, txid, id };
  }
  return { operation: 'unknown' };
}
