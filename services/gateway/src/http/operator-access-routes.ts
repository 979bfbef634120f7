import { api } from '@plataforma/contracts';
import { pageOf, type Router, serveTo } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { writeAudit } from '@plataforma/tables';
import type { Response } from 'express';
import type { GatewayDependencies } from '../dependencies.ts';
import { sessionEnded } from '../domain/access.ts';
import { confirmFactor } from '../operations/confirm-factor.ts';
import { logInOperator } from '../operations/log-in-operator.ts';
import { refreshOperator } from '../operations/refresh-operator.ts';
import { FactorLocked } from '../second-factor.ts';
import { activeOperators, findOperator } from '../store/operators.ts';
import { endSession, endSessions, listSessions } from '../store/sessions.ts';
import { refreshRefusals, whenceOf } from './login-limits.ts';
import { operatorView } from './operator-routes.ts';
import { serveOperator } from './serve.ts';
import { clientOf, viewFor } from './session-routes.ts';

/** Serves the log-in, the second factor and the sessions of operators. */
export function operatorAccessRoutes(router: Router, dependencies: GatewayDependencies): void {
  const { database, clock, authenticate, addressOf, config } = dependencies;

  serveTo(router, api.logInOperator, {
    authenticate: (req) => ({ ...whenceOf(req), client: clientOf(req, addressOf) }),
    answer: async ({ body }, whence, res) => ({
      data: await logInOperator(dependencies, body, whence).catch(retryAfter(res)),
    }),
  });
  const refusedAt = refreshRefusals(dependencies.loginLimits);
  serveTo(router, api.refreshOperator, {
    authenticate: (req) => ({ client: clientOf(req, addressOf), refused: refusedAt(req) }),
    answer: async ({ body }, { client, refused }) => ({
      data: await refreshOperator(dependencies, body.refreshToken, { ...client, now: clock() }).catch(
        refused,
      ),
    }),
  });
  serveTo(router, api.confirmSecondFactor, {
    authenticate: (req) => authenticate.operatorSession(req, api.confirmSecondFactor),
    answer: async ({ body }, session, res) => ({
      data: await confirmFactor(dependencies, session, { ...body, now: clock() }).catch(retryAfter(res)),
    }),
  });
  serveOperator(router, api.readOwnOperator, dependencies, async (_call, { sub, factorAt }) => {
    const operator = await findOperator(database, sub);
    if (!operator) throw sessionEnded();
    const at = factorAt === null ? null : new Date(factorAt).toISOString();
    const singleOperator = (await activeOperators(database, config)).some(({ isSingle }) => isSingle);
    return { data: { ...operatorView(operator), singleOperator, factorAt: at } };
  });
  serveOperator(router, api.listOwnOperatorSessions, dependencies, async ({ query }, { sub, sid }) =>
    pageOf(await listSessions(database, { operatorId: sub, now: clock() }, query), query, viewFor(sid)),
  );
  serveOperator(router, api.endOwnOperatorSession, dependencies, async ({ params }, { sub }) => {
    if (!(await endSession(database, params.id, sub)))
      throw new Refusal('missing', 'NOT_FOUND', 'there is no session with this id');
    return { data: { message: 'the session is ended' } };
  });
  sessionsOfOthers(router, dependencies);
}

function sessionsOfOthers(router: Router, dependencies: GatewayDependencies): void {
  const { database, clock } = dependencies;
  const requireOperator = async (id: string) => {
    if (await findOperator(database, id)) return;
    throw new Refusal('missing', 'NOT_FOUND', 'there is no operator with this id');
  };
  serveOperator(router, api.listSessionsOfOperator, dependencies, async ({ params, query }, { sid }) => {
    await requireOperator(params.id);
    const found = await listSessions(database, { operatorId: params.id, now: clock() }, query);
    return pageOf(found, query, viewFor(sid));
  });
  serveOperator(router, api.endSessionsOfOperator, dependencies, async ({ params }, { sub: operatorId }) => {
    await requireOperator(params.id);
    const ended = await database.transaction(async (tx) => {
      const { length } = await endSessions(tx, params.id);
      if (length > 0)
        await writeAudit(tx, {
          ...{ operatorId, action: 'operator.end_sessions', subjectId: params.id, reason: null },
          ...{ before: {}, after: { endedSessions: length } },
        });
      return length;
    });
    return { data: { ended } };
  });
}

/** Returns a handler that adds `Retry-After` to the refusal of a locked factor. */
function retryAfter(res: Response): (error: unknown) => never {
  return (error) => {
    if (error instanceof FactorLocked) res.setHeader('Retry-After', error.seconds);
    throw error;
  };
}
