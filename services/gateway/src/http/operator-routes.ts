import { api, type OperatorView } from '@plataforma/contracts';
import type { Database, SecretBox } from '@plataforma/data';
import { pageOf, type Router, serveOnceTo, serveTo } from '@plataforma/http';
import type { Clock } from '@plataforma/kernel';
import type { Operator } from '../domain/operator.ts';
import { changeOperator } from '../operations/change-operator.ts';
import { changeOperatorPassword } from '../operations/change-operator-password.ts';
import { createOperator } from '../operations/create-operator.ts';
import type { PasswordQueues } from '../passwords.ts';
import { listOperators } from '../store/operators.ts';
import type { Tokens } from '../tokens.ts';
import type { Authenticate } from './authenticate.ts';
import { type LoginLimits, operatorTries } from './login-limits.ts';

export interface OperatorParts {
  database: Database;
  passwords: PasswordQueues;
  tokens: Tokens;
  clock: Clock;
  secretBox: SecretBox;
  authenticate: Authenticate;
  loginLimits: LoginLimits;
}

export function operatorRoutes(router: Router, parts: OperatorParts): void {
  const { database, authenticate, loginLimits } = parts;
  const countTry = operatorTries(loginLimits);

  serveOnceTo(router, api.createOperator, {
    ...parts,
    authenticate: (req) => authenticate.operator(req, api.createOperator),
    ownerOf: ({ sub }) => ({ realm: 'operator', id: sub }),
    work: ({ body }, { sub }, { keep }) => createOperator({ ...parts, keep }, sub, body),
    show: (operator: Operator) => ({ data: operatorView(operator) }),
  });
  serveTo(router, api.changeOperatorPassword, {
    authenticate: async (req) => {
      const { sub } = await authenticate.operator(req, api.changeOperatorPassword);
      return { sub, countTry: (email: string) => countTry(req, email) };
    },
    answer: async ({ body }, { sub, countTry }) => ({
      data: await changeOperatorPassword({ ...parts, countTry }, sub, body),
    }),
  });
  serveTo(router, api.listOperators, {
    authenticate: (req) => authenticate.operator(req, api.listOperators),
    answer: async ({ query }) => pageOf(await listOperators(database, query), query, operatorView),
  });
  serveTo(router, api.changeOperator, {
    authenticate: (req) => authenticate.operator(req, api.changeOperator),
    answer: async ({ params, body }, { sub: operatorId }) => {
      const changed = await changeOperator(database, { operatorId, id: params.id, ...body });
      return { data: operatorView(changed) };
    },
  });
}

function operatorView({ id, email, role, isActive, createdAt }: Operator): OperatorView {
  return { id, email, role, isActive, createdAt: createdAt.toISOString() };
}
