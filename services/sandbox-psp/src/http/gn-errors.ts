import { isTransientDatabaseError } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import { SimulatedFault } from '../domain/fault.ts';
import { GnProblem, type GnProblemName } from '../domain/gn-problem.ts';
import { PixProblem } from '../domain/pix-problem.ts';
import { isOfFramework } from './framework-errors.ts';

const statusOf: Record<GnProblemName, number> = {
  nao_autorizado: 401,
  nao_encontrado: 404,
  requisicao_invalida: 400,
  infracao_nao_encontrada: 404,
  infracao_encerrada: 409,
  arquivo_duplicado: 409,
  chave_invalida: 400,
  valor_invalido: 400,
  id_envio_duplicado: 409,
  envio_nao_encontrado: 404,
};

/** `value` as `schema` reads it, or the problem that names every field that is wrong. */
export function checkedByGn<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const fields = result.error.issues.map(({ path }) => path.join('.') || 'corpo');
  throw new GnProblem('requisicao_invalida', `Campos inválidos: ${[...new Set(fields)].join(', ')}.`);
}

export const answerNothingOfGn: RequestHandler = () => {
  throw new GnProblem('nao_encontrado', 'Não há nada neste endereço.');
};

/** The last handler of what API Pix does not cover. */
export function answerGnError(log: Log): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    if (res.headersSent) {
      log.error({ err: error }, 'failed after the answer had begun');
      req.socket.destroy();
      return;
    }
    const problem = problemOf(error);
    if (problem) {
      res.status(statusOf[problem.nome]).json({ nome: problem.nome, mensagem: problem.message });
    } else if (isTransientDatabaseError(error)) {
      log.error({ err: error }, 'database unavailable');
      answerUnavailable(res);
    } else if (error instanceof Refusal && error.kind === 'unavailable') {
      answerUnavailable(res);
    } else {
      if (!(error instanceof SimulatedFault)) log.error({ err: error }, 'unexpected error');
      res.status(500).json({ nome: 'erro_aplicacao', mensagem: 'A requisição não pôde ser processada.' });
    }
  };
}

function answerUnavailable(res: Response): void {
  res.status(503).setHeader('Retry-After', '2');
  res.json({ nome: 'servico_indisponivel', mensagem: 'Tente novamente em instantes.' });
}

function problemOf(error: unknown): GnProblem | undefined {
  if (error instanceof GnProblem) return error;
  if (error instanceof PixProblem && error.code === 'AcessoNegado') {
    return new GnProblem('nao_autorizado', 'O token de acesso falta ou não é válido.');
  }
  const isUnread = error instanceof Refusal && error.kind !== 'unavailable';
  if (isUnread || isOfFramework(error)) {
    return new GnProblem('requisicao_invalida', 'A requisição não pôde ser lida.');
  }
  return undefined;
}
