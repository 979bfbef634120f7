import { z } from 'zod';
import { anonymous, type Definition, endpointsOf, everyRole, operatorRoles, operators } from '../endpoint.ts';
import { id, page, timestamp } from '../fields.ts';
import { credentials } from '../forms/credentials.ts';
import { passwordChangeOf } from '../forms/password-change.ts';
import { deviceToken } from '../merchants/account.ts';
import { email } from '../party.ts';

/** Longer than a merchant’s, for what it opens. */
const password = z.string().min(12).max(1024);

const role = z.enum(operatorRoles).meta({
  description:
    'ADMIN: everything. FINANCE: withdrawals, ledger and disputes. SUPPORT: reading, but for the list of operators.',
});

const operator = z
  .object({ id, email: z.string(), role, isActive: z.boolean(), createdAt: timestamp })
  .meta({ id: 'Operator' });

export type OperatorView = z.infer<typeof operator>;

export const operatorAccounts = endpointsOf('gateway', {
  logInOperator: {
    route: 'POST /v1/admin/auth/login',
    access: anonymous,
    summary: 'Log in as an operator',
    description:
      'There is no refresh token: when the access token has ended, log in again. A role that is taken away, or all access, ' +
      'ends within five seconds, whatever the token says.',
    body: credentials,
    examples: [
      { summary: 'An operator', body: { email: 'operador@plataforma.example', password: 'uma senha longa' } },
    ],
    fromDevice: true,
    data: z.object({ accessToken: z.string(), deviceToken }),
    errors: ['INVALID_CREDENTIALS'],
  },

  changeOperatorPassword: {
    route: 'POST /v1/admin/auth/password',
    access: everyRole,
    summary: 'Change one’s own password',
    description:
      'The answer has a new access token. All the operator has had before end with INVALID_TOKEN within five seconds. A wrong currentPassword is refused, and counted, as a log-in with it would be: INVALID_CREDENTIALS, then RATE_LIMITED. Where no answer came, log in with the new password; if that is refused, it was not changed.',
    body: passwordChangeOf(password),
    examples: [
      {
        summary: 'After a password may have been seen',
        body: { currentPassword: 'uma senha bem longa', newPassword: 'outra senha bem longa' },
      },
    ],
    data: z.object({ accessToken: z.string() }),
    errors: ['INVALID_CREDENTIALS'],
  },

  createOperator: {
    route: 'POST /v1/admin/operators',
    access: operators('ADMIN'),
    summary: 'Add an operator',
    description:
      'Who logs in with this e-mail and password at /v1/admin/auth/login. The e-mail is not changed later; the password is by its operator, at /v1/admin/auth/password.',
    body: z.object({ email, password, role }),
    examples: [
      {
        summary: 'One for withdrawals and disputes',
        body: { email: 'financeiro@plataforma.example', password: 'uma senha bem longa', role: 'FINANCE' },
      },
    ],
    status: 201,
    keyed: true,
    carriesSecret: true,
    data: operator,
    errors: ['OPERATOR_EXISTS'],
  },

  listOperators: {
    route: 'GET /v1/admin/operators',
    access: operators('ADMIN'),
    summary: 'List operators, newest first',
    description: 'For an ADMIN, whose work it is to add and change them.',
    query: z.strictObject(page),
    data: operator,
    paged: true,
  },

  changeOperator: {
    route: 'PATCH /v1/admin/operators/:id',
    access: operators('ADMIN'),
    summary: 'Change an operator’s role, or take or give back access',
    description:
      'Only the fields sent are changed. It is felt within five seconds, with the tokens the operator has, too: who is deactivated is refused with INVALID_TOKEN, and a log-in with INVALID_CREDENTIALS. The last active ADMIN stays one: INVALID_STATE.',
    body: z.object({ role: role.optional(), isActive: z.boolean().optional() }),
    examples: [
      { summary: 'One who has left', body: { isActive: false } },
      { summary: 'One who is to read only', body: { role: 'SUPPORT' } },
    ],
    data: operator,
    errors: ['INVALID_STATE'],
  },
} as const satisfies Record<string, Definition>);
