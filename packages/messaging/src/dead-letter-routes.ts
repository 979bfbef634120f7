import type { DeadLetterEndpoints, DeadLetterView, Endpoint } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { pageOf, type Request, type Router, serveTo } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { type Log, mask } from '@plataforma/observe';
import { type Apply, type DeadLetter, findDeadLetter, listDeadLetters } from '@plataforma/tables';
import { replayDeadLetter } from './replay-dead-letter.ts';
import type { SignaturePolicy } from './signatures.ts';

interface Operator {
  operatorId: string;
}

interface DeadLetterRoutes {
  /** Returns the operator who sent the request. Refuses all other callers. */
  operatorOf(req: Request, endpoint: Endpoint): Operator | Promise<Operator>;
  database: Database;
  log: Log;
  /** The function that applies events. The service's listener uses the same function. */
  apply: Apply;
  signaturePolicy: SignaturePolicy;
  endpoints: DeadLetterEndpoints;
}

/**
 * Serves the dead letters of a service to operators. Mount these routes before `/v1/admin/<service>/:id`,
 * because that route would read their path as an id.
 */
export function deadLetterRoutes(router: Router, dependencies: DeadLetterRoutes): void {
  const { database, endpoints } = dependencies;
  const authenticated = (endpoint: Endpoint) => ({
    authenticate: (req: Request) => dependencies.operatorOf(req, endpoint),
  });

  serveTo(router, endpoints.list, {
    ...authenticated(endpoints.list),
    answer: async ({ query: { replayed, ...filters } }) => {
      const isReplayed = replayed === undefined ? undefined : replayed === 'true';
      return pageOf(await listDeadLetters(database, { ...filters, isReplayed }), filters, viewOf);
    },
  });
  serveTo(router, endpoints.inspect, {
    ...authenticated(endpoints.inspect),
    answer: async ({ params }) => {
      const deadLetter = await findDeadLetter(database, params.id);
      if (!deadLetter) throw new Refusal('missing', 'NOT_FOUND', 'there is no dead letter with this id');
      return { data: { ...viewOf(deadLetter), body: mask(deadLetter.body.toString('utf8')) } };
    },
  });
  serveTo(router, endpoints.replay, {
    ...authenticated(endpoints.replay),
    answer: async ({ params: { id }, body }, { operatorId }) => {
      const request = { id, operatorId, reason: body.reason ?? null };
      const { outcome, ...letter } = await replayDeadLetter(dependencies, request);
      return { data: { ...viewOf(letter), outcome } };
    },
  });
}

const SIGNATURES = {
  valid: 'VALID',
  unsigned: 'UNSIGNED',
  unchecked: 'UNCHECKED',
  invalid: 'INVALID',
} as const;

function viewOf({ id, eventId, type, reason, diedAt, replayedAt, ...letter }: DeadLetter): DeadLetterView {
  const times = { diedAt: diedAt.toISOString(), replayedAt: replayedAt?.toISOString() ?? null };
  return { id, eventId, type, signature: SIGNATURES[letter.signature ?? 'unchecked'], reason, ...times };
}
