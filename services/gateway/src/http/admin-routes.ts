import { isCnpj } from '@plataforma/brcode';
import { api, type MerchantView } from '@plataforma/contracts';
import { pageOf, type Router } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { shownOr202 } from '@plataforma/service';
import type { GatewayDependencies } from '../dependencies.ts';
import type { Organization } from '../domain/organization.ts';
import { changeMerchantStatus } from '../operations/change-merchant-status.ts';
import { requestSettingsChange } from '../operations/change-settings.ts';
import { findOrganization, listOrganizations } from '../store/organizations.ts';
import { serveOperator } from './serve.ts';

const statusSteps = [
  ['approve', api.approveMerchant],
  ['reject', api.rejectMerchant],
  ['suspend', api.suspendMerchant],
  ['reactivate', api.reactivateMerchant],
] as const;

export function adminRoutes(router: Router, dependencies: GatewayDependencies): void {
  const { database, proposals } = dependencies;
  const shown = shownOr202(proposals, merchantView);

  serveOperator(router, api.listMerchants, dependencies, async ({ query }) =>
    pageOf(await listOrganizations(database, query), query, merchantView),
  );
  serveOperator(router, api.inspectMerchant, dependencies, async ({ params }) => {
    const merchant = await findOrganization(database, params.id);
    if (!merchant) throw new Refusal('missing', 'NOT_FOUND', 'there is no merchant with this id');
    return { data: merchantView(merchant) };
  });
  serveOperator(router, api.changeMerchantSettings, dependencies, async ({ params, body }, { sub }) => {
    const change = { merchantId: params.id, changes: body };
    return shown(await requestSettingsChange(dependencies, sub, change));
  });
  for (const [step, endpoint] of statusSteps) {
    serveOperator(router, endpoint, dependencies, async ({ params, body }, { sub: operatorId }) => {
      const reason = 'reason' in body ? body.reason : undefined;
      const force = 'force' in body && body.force;
      const change = { operatorId, merchantId: params.id, step, reason, force };
      return { data: merchantView(await changeMerchantStatus(database, change)) };
    });
  }
}

function merchantView(merchant: Organization): MerchantView {
  const { id, email, companyName, cnpj, phone, status, settings, createdAt } = merchant;
  const { url, at } = merchant.acceptedTerms ?? {};
  const acceptedTerms = url && at ? { url, acceptedAt: new Date(at).toISOString() } : null;
  const merchantFields = { id, email, companyName, cnpj, hasValidCnpj: isCnpj(cnpj), phone, status };
  return { ...merchantFields, acceptedTerms, settings, createdAt: createdAt.toISOString() };
}
