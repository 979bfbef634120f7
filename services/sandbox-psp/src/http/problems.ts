import { Refusal } from '@plataforma/kernel';
import { currentContext, type Log } from '@plataforma/observe';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { PixProblem, type ProblemCode } from '../domain/pix-problem.ts';
import { lastHandler } from './last-handler.ts';

const TYPE_PREFIX = 'https://pix.bcb.gov.br/api/v2/error/';

interface Description {
  type?: string;
  status: number;
  title: string;
  detail: string;
}

const INVALID_CHARGE =
  'A requisição que busca alterar ou criar uma cobrança não respeita o schema ou não faz sentido.';
const INVALID_QUERY = 'Os parâmetros de consulta não respeitam o schema ou não fazem sentido.';
const INVALID_REFUND = 'A requisição de devolução não respeita o schema ou não faz sentido.';
const NO_PAYLOAD = 'Não há cobrança para a location requisitada.';

/**
 * The problems in section "Tratamento de erros" of API Pix 2.9.0. The section defines no problem for a
 * missing token, so a missing token is reported as AcessoNegado.
 */
const descriptions: Record<ProblemCode, Description> = {
  RequisicaoInvalida: {
    status: 400,
    title: 'Requisição inválida',
    detail: 'A requisição não pôde ser lida.',
  },
  AcessoNegado: { status: 401, title: 'Acesso negado', detail: 'O token de acesso falta ou não é válido.' },
  NaoEncontrado: { status: 404, title: 'Não encontrado', detail: 'Não há nada neste endereço.' },
  ErroInternoDoServidor: {
    status: 500,
    title: 'Erro interno',
    detail: 'A requisição não pôde ser processada.',
  },
  ServicoIndisponivel: {
    status: 503,
    title: 'Serviço indisponível',
    detail: 'Tente novamente em instantes.',
  },
  CobNaoEncontrado: {
    status: 404,
    title: 'Cobrança não encontrada',
    detail: 'Não há cobrança com este txid.',
  },
  CobOperacaoInvalida: { status: 400, title: 'Operação inválida', detail: INVALID_CHARGE },
  CobConsultaInvalida: { status: 400, title: 'Consulta inválida', detail: INVALID_QUERY },
  PixNaoEncontrado: { status: 404, title: 'Pix não encontrado', detail: 'Não há Pix com este endToEndId.' },
  PixConsultaInvalida: { status: 400, title: 'Consulta inválida', detail: INVALID_QUERY },
  PixDevolucaoInvalida: { status: 400, title: 'Devolução inválida', detail: INVALID_REFUND },
  PixDevolucaoNaoEncontrada: {
    status: 404,
    title: 'Devolução não encontrada',
    detail: 'Este Pix não tem devolução com este id.',
  },
  CobPayloadNaoEncontrado: { status: 404, title: 'Cobrança não encontrada', detail: NO_PAYLOAD },
  CobPayloadRemovido: {
    type: 'CobPayloadNaoEncontrado',
    status: 410,
    title: 'Cobrança não encontrada',
    detail: 'A cobrança desta location já foi paga ou removida.',
  },
};

export const answerNothingHere: RequestHandler = (_req, res) => {
  sendProblem(res, new PixProblem('NaoEncontrado'));
};

const failureCodes = {
  unread: 'RequisicaoInvalida',
  unavailable: 'ServicoIndisponivel',
  internal: 'ErroInternoDoServidor',
} as const;

/** Returns the error handler of API Pix, which answers errors in the format of RFC 7807 (problem details). */
export function answerProblem(log: Log): ErrorRequestHandler {
  return lastHandler({
    log,
    refuse: (error) => {
      if (error instanceof PixProblem) return error;
      // A Refusal of the kind `unavailable` means that no slot became free in time. The caller made no
      // mistake, so the answer is not RequisicaoInvalida.
      const isRefused = error instanceof Refusal && error.kind !== 'unavailable';
      return isRefused && new PixProblem('RequisicaoInvalida', { detail: error.message });
    },
    ofFailure: (failure) => new PixProblem(failureCodes[failure]),
    send: sendProblem,
  });
}

function sendProblem(res: Response, { code, detail, violations }: PixProblem): void {
  const description = descriptions[code];
  if (code === 'AcessoNegado') res.setHeader('WWW-Authenticate', 'Bearer error="invalid_token"');
  const body = {
    type: `${TYPE_PREFIX}${description.type ?? code}`,
    title: description.title,
    status: description.status,
    detail: detail ?? description.detail,
    correlationId: currentContext()?.requestId,
    violacoes: violations.length > 0 ? violations : undefined,
  };
  res.status(description.status).type('application/problem+json').send(JSON.stringify(body));
}
