import { isCnpj } from '@plataforma/brcode';
import { pageMeta, type Router, serveTo } from '@plataforma/chassis';
import { api, type MerchantView } from '@plataforma/contracts';
import type { Organization } from '../domain/organization.ts';
import { approveMerchant } from '../operations/approve-merchant.ts';
import { changeSettings } from '../operations/change-settings.ts';
import { logInOperator } from '../operations/log-in.ts';
import { listOrganizations } from '../store/organizations.ts';
import type { AccountParts } from './account-routes.ts';

export function adminRoutes(router: Router, parts: AccountParts): void {
  const { database, authenticate } = parts;

  serveTo(router, api.logInOperator, {
    authenticate: () => undefined,
    answer: async ({ body }) => ({ data: await logInOperator(parts, body) }),
  });
  serveTo(router, api.listMerchants, {
    authenticate: (req) => authenticate.operator(req, api.listMerchants),
    answer: async ({ query }) => {
      const { organizations, total } = await listOrganizations(database, query);
      return { data: organizations.map(merchantView), meta: pageMeta(total, query) };
    },
  });
  serveTo(router, api.approveMerchant, {
    authenticate: (req) => authenticate.operator(req, api.approveMerchant),
    answer: async ({ params }, operator) => {
      const merchant = await approveMerchant(database, { operatorId: operator.sub, merchantId: params.id });
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
