import { isCnpj } from '@plataforma/brcode';
import { api, type MerchantView } from '@plataforma/contracts';
import { pageOf, type Router, serveTo } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import type { Organization } from '../domain/organization.ts';
import { changeSettings } from '../operations/change-settings.ts';
import { changeStanding } from '../operations/change-standing.ts';
import { logInOperator } from '../operations/log-in.ts';
import { findOrganization, listOrganizations } from '../store/organizations.ts';
import type { AccountParts } from './account-routes.ts';
import { whenceOf } from './login-limits.ts';
import { type OperatorParts, operatorRoutes } from './operator-routes.ts';

export function adminRoutes(router: Router, parts: AccountParts & OperatorParts): void {
  const { database, authenticate } = parts;

  serveTo(router, api.logInOperator, {
    authenticate: (req) => ({ ...whenceOf(req), client: { address: parts.addressOf(req) } }),
    answer: async ({ body }, whence) => ({ data: await logInOperator(parts, body, whence) }),
  });
  serveTo(router, api.listMerchants, {
    authenticate: (req) => authenticate.operator(req, api.listMerchants),
    answer: async ({ query }) => pageOf(await listOrganizations(database, query), query, merchantView),
  });
  serveTo(router, api.inspectMerchant, {
    authenticate: (req) => authenticate.operator(req, api.inspectMerchant),
    answer: async ({ params }) => {
      const merchant = await findOrganization(database, params.id);
      if (!merchant) throw new Refusal('missing', 'NOT_FOUND', 'there is no merchant with this id');
      return { data: merchantView(merchant) };
    },
  });
  serveTo(router, api.changeMerchantSettings, {
    authenticate: (req) => authenticate.operator(req, api.changeMerchantSettings),
    answer: async ({ params, body }, operator) => {
      const change = { operatorId: operator.sub, merchantId: params.id, changes: body };
      return { data: merchantView(await changeSettings(database, change)) };
    },
  });
  standingRoutes(router, parts);
  operatorRoutes(router, parts);
}

function standingRoutes(router: Router, { database, authenticate }: AccountParts): void {
  const steps = [
    ['approve', api.approveMerchant],
    ['reject', api.rejectMerchant],
    ['suspend', api.suspendMerchant],
    ['reactivate', api.reactivateMerchant],
  ] as const;
  for (const [step, endpoint] of steps) {
    serveTo(router, endpoint, {
      authenticate: (req) => authenticate.operator(req, endpoint),
      answer: async ({ params, body }, { sub: operatorId }) => {
        const reason = 'reason' in body ? body.reason : undefined;
        const change = { operatorId, merchantId: params.id, step, reason };
        return { data: merchantView(await changeStanding(database, change)) };
      },
    });
  }
}

function merchantView({
  id,
  email,
  companyName,
  cnpj,
  phone,
  status,
  settings,
  createdAt,
}: Organization): MerchantView {
  const known = { id, email, companyName, cnpj, hasValidCnpj: isCnpj(cnpj), phone, status };
  return { ...known, settings, createdAt: createdAt.toISOString() };
}
