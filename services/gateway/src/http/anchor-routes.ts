import { type AuditAnchorView, api } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { type Router, serveTo } from '@plataforma/http';
import { beginAuditEpoch } from '../operations/begin-audit-epoch.ts';
import { type AuditAnchor, findAnchors } from '../store/audit-anchors.ts';
import type { Authenticate } from './authenticate.ts';

interface AnchorParts {
  database: Database;
  authenticate: Authenticate;
}

/** What the gateway keeps of the audit logs of others, so that none can be written anew. */
export function anchorRoutes(router: Router, { database, authenticate }: AnchorParts): void {
  serveTo(router, api.listAuditAnchors, {
    authenticate: (req) => authenticate.operator(req, api.listAuditAnchors),
    answer: async () => ({ data: (await findAnchors(database)).map(view) }),
  });
  serveTo(router, api.beginAuditEpoch, {
    authenticate: (req) => authenticate.operator(req, api.beginAuditEpoch),
    answer: async ({ body: { service, reason } }, { sub: operatorId }) => ({
      data: view(await beginAuditEpoch(database, { service, operatorId, reason })),
    }),
  });
}

function view({ sequence, checkedAt, anchoredAt, brokenSequence, ...anchor }: AuditAnchor): AuditAnchorView {
  const { service, epoch, reason, begunBy } = anchor;
  return {
    ...{ service, epoch, reason, begunBy },
    anchoredSequence: sequence === 0 ? null : sequence,
    anchoredAt: sequence === 0 ? null : (anchoredAt?.toISOString() ?? null),
    checkedAt: checkedAt?.toISOString() ?? null,
    isIntact: brokenSequence === null,
    firstBrokenSequence: brokenSequence,
  };
}
