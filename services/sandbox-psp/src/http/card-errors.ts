import { isTransientDatabaseError } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { z } from 'zod';
import { CardProblem, type CardProblemKind, type FieldErrors } from '../domain/card-problem.ts';
import { SimulatedFault } from '../domain/fault.ts';
import { isOfFramework } from './framework-errors.ts';

const statusOf: Record<CardProblemKind, number> = {
  unauthorized: 401,
  missing: 404,
  unfit: 412,
  invalid: 422,
};

/** `value` as `schema` reads it, or the problem with every field that is wrong. */
export function checkedCardBody<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors: FieldErrors = {};
  for (const { path, message } of result.error.issues) {
    const field = path.join('.') || 'body';
    errors[field] = [...(errors[field] ?? []), message];
  }
  throw new CardProblem('invalid', 'The request is invalid.', errors);
}

export const answerNoCardThing: RequestHandler = () => {
  throw new CardProblem('missing', 'Not found.');
};

/** The last handler of the card API. A body that was refused is never logged: it may hold a card number. */
export function answerCardError(log: Log): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    if (res.headersSent) {
      log.error({ err: error }, 'failed after the answer had begun');
      req.socket.destroy();
    } else if (error instanceof CardProblem) {
      const { message, errors } = error;
      res.status(statusOf[error.kind]).json({ message, ...(errors && { errors }) });
    } else if (error instanceof Refusal || isOfFramework(error)) {
      res.status(400).json({ message: 'The request could not be read.' });
    } else if (isTransientDatabaseError(error)) {
      log.error({ err: error }, 'database unavailable');
      res.status(503).setHeader('Retry-After', '2').json({ message: 'Try again shortly.' });
    } else {
      if (!(error instanceof SimulatedFault)) log.error({ err: error }, 'unexpected error');
      res.status(500).json({ message: 'Internal server error.' });
    }
  };
}
