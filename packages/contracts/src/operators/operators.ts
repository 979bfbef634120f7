import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, everyRole, operatorRoles, operators } from '../endpoint.ts';
import { id } from '../fields.ts';
import { passwordChangeOf } from '../forms/password-change.ts';
import { tokens } from '../merchants/account.ts';
import { page } from '../paging.ts';
import { email } from '../party.ts';
import { proposes } from './proposals.ts';

/**
 * An operator's password must be longer than a merchant's, because an operator has access to all merchants.
 */
const password = z.string().min(12).max(1024);

const role = z.enum(operatorRoles).meta({
  description:
    'ADMIN: all operations. FINANCE: withdrawals, ledger and disputes. SUPPORT: reads, except the lists ' +
    'of operators and proposals.',
});

export const operator = z
  .object({ id, email: z.string(), role, isActive: z.boolean(), createdAt: timestamp })
  .meta({ id: 'Operator' });

export type OperatorView = z.infer<typeof operator>;

export const operatorAccounts = endpointsOf('gateway', {
  changeOperatorPassword: {
    route: 'POST /v1/admin/auth/password',
    access: everyRole,
    freshFactor: true,
    summary: 'Change your own password',
    description:
      'Every session of the operator ends. The response has the tokens of a new session. All earlier ' +
      'access tokens are refused with INVALID_TOKEN within five seconds. A wrong currentPassword is ' +
      'refused and counted as in a log-in, with INVALID_CREDENTIALS and then RATE_LIMITED. If no response ' +
      'arrives, log in with the new password. If that log-in is refused, the password was not changed.',
    body: passwordChangeOf(password),
    examples: [
      {
        summary: 'Password that may be compromised',
        body: { currentPassword: 'uma senha bem longa', newPassword: 'outra senha bem longa' },
      },
    ],
    data: tokens,
    errors: ['INVALID_CREDENTIALS'],
  },

  createOperator: {
    route: 'POST /v1/admin/operators',
    access: operators('ADMIN'),
    freshFactor: true,
    summary: 'Create an operator',
    description:
      'The operator logs in with this e-mail address and password at /v1/admin/auth/login. The e-mail ' +
      'address can’t be changed later. The operator changes the password at /v1/admin/auth/password.',
    body: z.object({ email, password, role }),
    examples: [
      {
        summary: 'Operator for withdrawals and disputes',
        body: { email: 'financeiro@plataforma.example', password: 'uma senha bem longa', role: 'FINANCE' },
      },
    ],
    status: 201,
    otherStatus: proposes,
    keyed: true,
    carriesSecret: true,
    data: operator,
    errors: ['OPERATOR_EXISTS'],
  },

  listOperators: {
    route: 'GET /v1/admin/operators',
    access: operators('ADMIN'),
    summary: 'List operators, newest first',
    description: 'Requires the role ADMIN, which creates and changes operators.',
    query: z.strictObject(page),
    data: operator,
    paged: true,
  },

  changeOperator: {
    route: 'PATCH /v1/admin/operators/:id',
    access: operators('ADMIN'),
    freshFactor: true,
    summary: 'Change an operator’s role or access',
    description:
      'Changes only the fields sent. The change takes effect within five seconds, also for existing ' +
      'tokens. A deactivation ends the operator’s sessions. A deactivated operator is refused with ' +
      'INVALID_TOKEN, and a log-in with INVALID_CREDENTIALS. The last active ADMIN must stay an active ' +
      'ADMIN; otherwise the response is INVALID_STATE. A role with more rights and the return of access ' +
      'need two operators.',
    body: z.object({ role: role.optional(), isActive: z.boolean().optional() }),
    examples: [
      { summary: 'Operator who has left', body: { isActive: false } },
      { summary: 'Operator with read access only', body: { role: 'SUPPORT' } },
    ],
    otherStatus: proposes,
    data: operator,
    errors: ['INVALID_STATE'],
  },
} as const satisfies Record<string, Definition>);
