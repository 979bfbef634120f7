import { type AuditAnchorView, api, auditLogs } from '@plataforma/contracts';
import { type Router, serveTo } from '@plataforma/http';
import { type Clock, Refusal } from '@plataforma/kernel';
import { chainServices, followedChains, isFollowed } from '../domain/followed-chain.ts';
import { type AnchorAuditLogs, followToEnd } from '../operations/anchor-audit-logs.ts';
import { beginAuditEpoch } from '../operations/begin-audit-epoch.ts';
import { type VerifyAnchored, verifyAnchored } from '../operations/verify-anchored.ts';
import { type AuditAnchor, findAnchor, findAnchors } from '../store/audit-anchors.ts';
import type { Authenticate } from './authenticate.ts';

export interface AnchorParts extends VerifyAnchored, AnchorAuditLogs {
  clock: Clock;
  authenticate: Authenticate;
}

/** What services keep of the chains of each other, so that none can be written anew. */
export function anchorRoutes(router: Router, parts: AnchorParts): void {
  const { database, authenticate } = parts;
  for (const service of chainServices) {
    const endpoint = auditLogs[service].verify;
    serveTo(router, endpoint, {
      authenticate: (req) => authenticate.operator(req, endpoint),
      answer: async ({ query: { after, limit } }) => ({
        data: await verifyAnchored(parts, { service, chain: 'audit' }, { after, limit }),
      }),
    });
  }
  serveTo(router, api.listAuditAnchors, {
    authenticate: (req) => authenticate.operator(req, api.listAuditAnchors),
    answer: async () => ({ data: (await findAnchors(database, followedChains)).map(view) }),
  });
  serveTo(router, api.beginAuditEpoch, {
    authenticate: (req) => authenticate.operator(req, api.beginAuditEpoch),
    answer: async ({ body: { service, chain, reason } }, { sub: operatorId }) => {
      if (!isFollowed({ service, chain }))
        throw new Refusal('invalid', 'VALIDATION_ERROR', 'chain: only the ledger has a journal');
      const isCompared = await followToEnd(parts, await findAnchor(database, { service, chain }));
      const epoch = { service, chain, operatorId, reason, isCompared };
      const { anchor, isBegun } = await beginAuditEpoch(parts, epoch);
      return { data: view(anchor), status: isBegun ? 201 : 202 };
    },
  });
}

function view(found: AuditAnchor): AuditAnchorView {
  const {
    sequence,
    checkedAt,
    anchoredAt,
    brokenSequence,
    knownSince: _,
    unanchoredSince,
    ...anchor
  } = found;
  return {
    ...anchor,
    anchoredSequence: sequence,
    anchoredAt: anchoredAt?.toISOString() ?? null,
    checkedAt: checkedAt?.toISOString() ?? null,
    unanchoredSince: unanchoredSince?.toISOString() ?? null,
    isIntact: brokenSequence === null,
    firstBrokenSequence: brokenSequence,
  };
}
