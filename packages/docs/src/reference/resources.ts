import type { Endpoint } from '@plataforma/contracts';
import type { Language } from '../model.ts';

export interface Resource {
  slug: string;
  title: Record<Language, string>;
  /**
   * The prefixes of the paths of the resource's endpoints. If several resources match an endpoint, the
   * longest prefix decides.
   */
  paths: readonly string[];
}

/**
 * The slug, the titles and the path prefixes of a resource. The default prefix is `/v1/` and the slug. A row
 * for operators gives its prefixes relative to `/v1/admin/`; their default is the slug.
 */
type Row = readonly [slug: string, pt: string, en: string, ...paths: string[]];

const one = ([slug, pt, en, ...paths]: Row): Resource => ({
  slug: `reference/${slug}`,
  title: { pt, en },
  paths: paths.length > 0 ? paths : [`/v1/${slug}`],
});

const forOperators = ([slug, pt, en, ...paths]: Row): Resource =>
  one([
    `operators-${slug}`,
    pt,
    en,
    ...(paths.length > 0 ? paths : [slug]).map((path) => `/v1/admin/${path}`),
  ]);

const SANDBOX_FAULTS = ['clock', 'provider', 'webhook-faults'].map((name) => `/v1/sandbox/${name}`);

const merchantRows: readonly Row[] = [
  ['charges', 'Cobranças', 'Charges'],
  ['payment-links', 'Links de pagamento', 'Payment links'],
  ['checkouts', 'Visitas ao checkout', 'Checkout visits'],
  ['refunds', 'Devoluções', 'Refunds', '/v1/refunds', '/v1/charges/:id/refund'],
  ['disputes', 'Contestações', 'Disputes'],
  ['files', 'Arquivos', 'Files'],
  ['unexpected-payments', 'Pagamentos inesperados', 'Unexpected payments'],
  ['withdrawals', 'Saques', 'Withdrawals'],
  ['destinations', 'Destinos', 'Destinations'],
  ['quotes', 'Simulações', 'Quotes'],
  ['wallet', 'Saldo e extrato', 'Balance and statement', '/v1/balance', '/v1/transactions', '/v1/statement'],
  ['receivables', 'Recebíveis', 'Receivables'],
  ['reports', 'Relatórios', 'Reports'],
  ['webhooks', 'Webhooks', 'Webhooks', '/v1/webhook-config'],
  ['webhook-deliveries', 'Entregas de webhooks', 'Webhook deliveries'],
  ['feed', 'Lista de eventos', 'Event feed', '/v1/events'],
  ['requests', 'Log de requisições', 'Request log'],
  ['sandbox', 'Sandbox: pagamentos', 'Sandbox: payments', '/v1/sandbox', '/v1/charges/:id/simulate-payment'],
  ['sandbox-withdrawals', 'Sandbox: saques', 'Sandbox: withdrawals', '/v1/sandbox/withdrawals'],
  ['sandbox-faults', 'Sandbox: relógio e falhas', 'Sandbox: clock and faults', ...SANDBOX_FAULTS],
  ['account', 'Conta', 'Account'],
  ['api-keys', 'Chaves de API', 'API keys'],
  ['auth', 'Acesso', 'Log-in'],
];

const operatorRows: readonly Row[] = [
  ['auth', 'Acesso de operadores', 'Operator log-in', 'auth', 'me'],
  ['operators', 'Operadores', 'Operators', 'operators', 'proposals'],
  ['merchants', 'Contas de lojistas', 'Merchants'],
  ['charges', 'Todas as cobranças', 'All charges', 'charges', 'refunds', 'unexpected-payments'],
  ['disputes', 'Todas as contestações', 'All disputes', 'disputes', 'files'],
  ['withdrawals', 'Todos os saques', 'All withdrawals', 'withdrawals', 'payout-alarms'],
  ['ledger', 'Razão contábil', 'Ledger', 'ledger', 'wallet', 'books'],
  ['webhooks', 'Todos os webhooks', 'All webhooks'],
  ['incidents', 'Alarmes e pausas', 'Alarms and stops', 'alarms', 'stops', 'timeline', 'reconciliation'],
  ['audit', 'Auditoria', 'Audit', 'audit-log', 'audit-anchors', 'audit-epochs'],
];

/** Resources that every service has. Their paths differ only by the name of the service. */
const serviceRows: readonly Row[] = [
  ['audit-logs', 'Auditoria de cada serviço', 'Audit logs of services'],
  ['dead-letters', 'Mensagens rejeitadas', 'Dead letters'],
];
const OF_SERVICES = /^\/v1\/admin\/\w+\/(audit-log|dead-letter)/;

export const merchantResources = merchantRows.map(one);
const ofOperators = operatorRows.map(forOperators);
const ofServices = serviceRows.map(forOperators);

export const operatorResources: readonly Resource[] = [...ofOperators, ...ofServices];

const all = [...merchantResources, ...ofOperators];

export function resourceOf({ path }: Pick<Endpoint, 'path'>): Resource {
  const ofService = OF_SERVICES.exec(path)?.[1];
  const shared = ofServices.find(({ slug }) => ofService !== undefined && slug.includes(ofService));
  if (shared) return shared;
  const fits = all.flatMap((resource) =>
    resource.paths.filter((begin) => isBelow(path, begin)).map((begin) => ({ resource, begin })),
  );
  const [best] = fits.sort((first, other) => other.begin.length - first.begin.length);
  if (!best) throw new Error(`${path} has no page in the reference`);
  return best.resource;
}

function isBelow(path: string, begin: string): boolean {
  return path === begin || path.startsWith(begin.endsWith('/') ? begin : `${begin}/`);
}
