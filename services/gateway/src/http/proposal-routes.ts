import { api, type ProposalService, proposalPart, proposalServices } from '@plataforma/contracts';
import { openTo, pageOf, type Router, readWhole, serveIdempotentTo } from '@plataforma/http';
import { isUuid, Refusal } from '@plataforma/kernel';
import { approveProposal, proposalView, readProposalPart, rejectProposal } from '@plataforma/service';
import type { ProposalRow } from '@plataforma/tables';
import type { GatewayDependencies } from '../dependencies.ts';
import { newestOfAll, silent } from '../operations/newest-of-all.ts';
import { queryOf } from './ask-service.ts';
import { identityOf } from './operator-check.ts';
import { serveOperator } from './serve.ts';

type Part = Parameters<typeof readProposalPart>[1];

/** Merges the proposals of all services, and sends each decision to the service that stores the proposal. */
export function proposalRoutes(router: Router, dependencies: GatewayDependencies): void {
  const { authenticate, forward, proposals } = dependencies;
  const view = proposalView(proposals);

  serveOperator(router, api.listProposals, dependencies, async ({ query }) => {
    const { page: _page, limit: _limit, ...filters } = query;
    const lists = {
      services: proposalServices,
      ask: (service: ProposalService, newest: number) =>
        askPart(dependencies, service, { ...filters, newest }),
      orderOf: ({ proposedAt, id }: { proposedAt: string; id: string }) => ({ at: proposedAt, id }),
    };
    return pageOf(await newestOfAll(lists, query), query, (proposal) => proposal);
  });
  serveOperator(router, api.readProposal, dependencies, async ({ params }) => ({
    data: await getProposal(dependencies, params.id),
  }));

  router.post(api.approveProposal.path, async (req, res, next) => {
    const caller = identityOf(await authenticate.operator(req, api.approveProposal));
    const { service } = await getProposal(dependencies, String(req.params.id));
    if (service === 'gateway') return next();
    const body = await readWhole(req, res, api.approveProposal);
    await forward(req, res, { service, caller, body, mode: 'buffer' });
  });
  serveIdempotentTo(router, api.approveProposal, {
    ...dependencies,
    authenticate: (req) => authenticate.operator(req, api.approveProposal),
    ownerOf: ({ sub }) => ({ realm: 'operator', id: sub }),
    work: ({ params: { id } }, { sub: operatorId }, { saveResponse }) =>
      approveProposal(proposals, { id, operatorId }, saveResponse),
    show: (approved: ProposalRow) => ({ data: view(approved) }),
  });
  openTo(router, api.rejectProposal, {
    authenticate: (req) => authenticate.operator(req, api.rejectProposal),
    async respond({ params: { id }, body: { reason } }, operator, { req, res }) {
      const { service } = await getProposal(dependencies, id);
      if (service === 'gateway') {
        const rejected = await rejectProposal(proposals, { id, operatorId: operator.sub, reason });
        res.json({ success: true, data: view(rejected) });
        return;
      }
      const body = Buffer.from(JSON.stringify({ reason }));
      await forward(req, res, { service, caller: identityOf(operator), body, mode: 'buffer' });
    },
  });
}

async function askPart(
  { proposals, askService }: GatewayDependencies,
  service: ProposalService,
  query: Part,
) {
  if (service === 'gateway') return readProposalPart(proposals, query);
  return askService(service, { path: `/internal/proposals?${queryOf(query)}`, answer: proposalPart });
}

/** Throws SERVICE_UNAVAILABLE if the proposal is not found and a service did not answer. */
async function getProposal(dependencies: GatewayDependencies, id: string) {
  const ask = (service: ProposalService) => askPart(dependencies, service, { id, newest: 1 });
  const answers = isUuid(id) ? await Promise.all(proposalServices.map(ask)) : [];
  const found = answers.flatMap((answer) => answer?.items ?? [])[0];
  if (found) return found;
  const unanswered = proposalServices.find((_service, at) => answers[at] === null);
  if (unanswered) return silent(unanswered);
  throw new Refusal('missing', 'NOT_FOUND', 'there is no proposal with this id');
}
