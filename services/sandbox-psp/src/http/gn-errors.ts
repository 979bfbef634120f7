import type { Log } from '@plataforma/observe';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { z } from 'zod';
import { GnProblem, type GnProblemName } from '../domain/gn-problem.ts';
import { PixProblem } from '../domain/pix-problem.ts';
import { lastHandler } from './last-handler.ts';

const statusOf: Record<GnProblemName, number> = {
  nao_autorizado: 401,
  nao_encontrado: 404,
  requisicao_invalida: 400,
  infracao_nao_encontrada: 404,
  infracao_encerrada: 409,
  arquivo_duplicado: 409,
  chave_invalida: 400,
  chave_nao_encontrada: 404,
  valor_invalido: 400,
  id_envio_duplicado: 409,
  envio_nao_encontrado: 404,
  servico_indisponivel: 503,
  erro_aplicacao: 500,
};

/**
 * Returns the value after validation by the schema. Throws `requisicao_invalida` with the names of the wrong
 * fields.
 */
export function checkedByGn<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const fields = result.error.issues.map(({ path }) => path.join('.') || 'corpo');
  throw new GnProblem('requisicao_invalida', `Campos inválidos: ${[...new Set(fields)].join(', ')}.`);
}

export const answerNothingOfGn: RequestHandler = () => {
  throw new GnProblem('nao_encontrado', 'Não há nada neste endereço.');
};

const failures = {
  unread: new GnProblem('requisicao_invalida', 'A requisição não pôde ser lida.'),
  unavailable: new GnProblem('servico_indisponivel', 'Tente novamente em instantes.'),
  internal: new GnProblem('erro_aplicacao', 'A requisição não pôde ser processada.'),
};

/** Returns the error handler of the routes that API Pix does not define; the errors have Efí's format. */
export function answerGnError(log: Log): ErrorRequestHandler {
  return lastHandler({
    log,
    refuse: (error) => {
      if (error instanceof PixProblem && error.code === 'AcessoNegado')
        return new GnProblem('nao_autorizado', 'O token de acesso falta ou não é válido.');
      return error instanceof GnProblem && error;
    },
    ofFailure: (failure) => failures[failure],
    send: (res, { nome, message: mensagem }) => res.status(statusOf[nome]).json({ nome, mensagem }),
  });
}
