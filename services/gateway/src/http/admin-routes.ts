import { isCnpj } from '@plataforma/brcode';
import { pageMeta, type Router, serveTo } from '@plataforma/chassis';
import { api, type MerchantView } from '@plataforma/contracts';
import type { Organization } from '../domain/organization.ts';
import { approveMerchant } from '../operations/approve-merchant.ts';
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
}

function merchantView({
  id,
  email,
  companyName,
  cnpj,
  phone,
  status,
  createdAt,
}: Organization): MerchantView {
  const hasValidCnpj = isCnpj(cnpj);
  return { id, email, companyName, cnpj, hasValidCnpj, phone, status, createdAt: createdAt.toISOString() };
}
