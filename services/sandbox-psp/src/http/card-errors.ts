import type { Log } from '@plataforma/observe';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { z } from 'zod';
import { CardProblem, type CardProblemKind, type FieldErrors } from '../domain/card-problem.ts';
import { lastHandler } from './last-handler.ts';

const statusOf: Record<CardProblemKind, number> = {
  unread: 400,
  unauthorized: 401,
  missing: 404,
  unfit: 412,
  invalid: 422,
  internal: 500,
  unavailable: 503,
};

/**
 * Returns the value after validation by the schema. Throws `invalid` with the error messages of each field.
 */
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

const failures = {
  unread: new CardProblem('unread', 'The request could not be read.'),
  unavailable: new CardProblem('unavailable', 'Try again shortly.'),
  internal: new CardProblem('internal', 'Internal server error.'),
};

/**
 * Returns the error handler of the card API. The handler never logs the body of a refused request, because
 * the body may contain a card number.
 */
export function answerCardError(log: Log): ErrorRequestHandler {
  return lastHandler({
    log,
    refuse: (error) => error instanceof CardProblem && error,
    ofFailure: (failure) => failures[failure],
    send: (res, { kind, message, errors }) =>
      res.status(statusOf[kind]).json({ message, ...(errors && { errors }) }),
  });
}
