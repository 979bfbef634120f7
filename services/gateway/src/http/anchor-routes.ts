import { type AuditAnchorView, api, auditLogs, timelineServices } from '@plataforma/contracts';
import { type Router, serveTo } from '@plataforma/http';
import type { Clock } from '@plataforma/kernel';
import { beginAuditEpoch } from '../operations/begin-audit-epoch.ts';
import type { FollowToEnd } from '../steps/follow-to-end.ts';
import { type VerifyAnchored, verifyAnchored } from '../steps/verify-anchored.ts';
import { type AuditAnchor, findAnchors } from '../store/audit-anchors.ts';
import type { Authenticate } from './authenticate.ts';

export interface AnchorParts extends VerifyAnchored, FollowToEnd {
  clock: Clock;
  authenticate: Authenticate;
}

/** What the gateway keeps of the audit logs of others, so that none can be written anew. */
export function anchorRoutes(router: Router, parts: AnchorParts): void {
  const { database, authenticate } = parts;
  for (const service of timelineServices) {
    const endpoint = auditLogs[service].verify;
    serveTo(router, endpoint, {
      authenticate: (req) => authenticate.operator(req, endpoint),
      answer: async ({ query: { after, limit } }) => ({
        data: await verifyAnchored(parts, service, { after, limit }),
      }),
    });
  }
  serveTo(router, api.listAuditAnchors, {
    authenticate: (req) => authenticate.operator(req, api.listAuditAnchors),
    answer: async () => ({ data: (await findAnchors(database)).map(view) }),
  });
  serveTo(router, api.beginAuditEpoch, {
    authenticate: (req) => authenticate.operator(req, api.beginAuditEpoch),
    answer: async ({ body: { service, reason } }, { sub: operatorId }) => {
      const { anchor, isBegun } = await beginAuditEpoch(parts, { service, operatorId, reason });
      return { data: view(anchor), status: isBegun ? 201 : 202 };
    },
  });
}

function view({ sequence, checkedAt, anchoredAt, brokenSequence, ...anchor }: AuditAnchor): AuditAnchorView {
  const { service, epoch, reason, begunBy, nextEpochProposedBy } = anchor;
  return {
    ...{ service, epoch, reason, begunBy, nextEpochProposedBy },
    anchoredSequence: sequence === 0 ? null : sequence,
    anchoredAt: sequence === 0 ? null : (anchoredAt?.toISOString() ?? null),
    checkedAt: checkedAt?.toISOString() ?? null,
    isIntact: brokenSequence === null,
    firstBrokenSequence: brokenSequence,
  };
}
