import { api, type OperatorView } from '@plataforma/contracts';
import { pageOf, type Router, serveIdempotentTo, serveTo } from '@plataforma/http';
import { shownOr202 } from '@plataforma/service';
import type { GatewayDependencies } from '../dependencies.ts';
import type { Operator } from '../domain/operator.ts';
import { requestOperatorChange } from '../operations/change-operator.ts';
import { changeOperatorPassword } from '../operations/change-operator-password.ts';
import { createOperator } from '../operations/create-operator.ts';
import { listOperators } from '../store/operators.ts';
import { operatorTries } from './login-limits.ts';
import { serveOperator } from './serve.ts';
import { clientOf } from './session-routes.ts';

export function operatorRoutes(router: Router, dependencies: GatewayDependencies): void {
  const { database, authenticate, loginLimits, addressOf } = dependencies;
  const countTry = operatorTries(loginLimits);
  const shown = shownOr202(dependencies.proposals, operatorView);

  serveIdempotentTo(router, api.createOperator, {
    ...dependencies,
    authenticate: (req) => authenticate.operator(req, api.createOperator),
    ownerOf: ({ sub }) => ({ realm: 'operator', id: sub }),
    work: ({ body }, { sub }, { saveResponse }) =>
      createOperator({ ...dependencies, saveResponse }, sub, body),
    show: shown,
  });
  serveTo(router, api.changeOperatorPassword, {
    authenticate: async (req) => {
      const session = await authenticate.operatorSession(req, api.changeOperatorPassword);
      const forRequest = (email: string) => countTry(req, email);
      return { session, caller: { client: clientOf(req, addressOf), countTry: forRequest } };
    },
    answer: async ({ body }, { session, caller }) => ({
      data: await changeOperatorPassword({ ...dependencies, ...caller }, session, body),
    }),
  });
  serveOperator(router, api.listOperators, dependencies, async ({ query }) =>
    pageOf(await listOperators(database, query), query, operatorView),
  );
  serveOperator(router, api.changeOperator, dependencies, async ({ params, body }, { sub }) =>
    shown(await requestOperatorChange(dependencies, sub, { id: params.id, ...body })),
  );
}

export function operatorView({ id, email, role, isActive, createdAt }: Operator): OperatorView {
  return { id, email, role, isActive, createdAt: createdAt.toISOString() };
}
