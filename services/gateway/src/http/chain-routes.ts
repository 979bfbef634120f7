import { type AuditAnchorView, api, auditLogs, verifyOwnBooks } from '@plataforma/contracts';
import type { Router } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { findBreak } from '../chains/find-break.ts';
import type { GatewayDependencies } from '../dependencies.ts';
import { chainServices, followedChains, isFollowed, journal } from '../domain/followed-chain.ts';
import { followToEnd } from '../operations/anchor-audit-logs.ts';
import { beginAuditEpoch } from '../operations/begin-audit-epoch.ts';
import { verifyAnchored } from '../operations/verify-anchored.ts';
import { type AuditAnchor, findAnchor, findAnchors } from '../store/audit-anchors.ts';
import { queryOf } from './ask-service.ts';
import { serveOperator } from './serve.ts';

/**
 * Serves the verification of all chains: the hashes of each chain, compared with the copies that other
 * services store.
 */
export function chainRoutes(router: Router, dependencies: GatewayDependencies): void {
  const { database, chains, askLongRunning, verifyWithinMs } = dependencies;
  for (const service of chainServices) {
    serveOperator(router, auditLogs[service].verify, dependencies, async ({ query: { after, limit } }) => ({
      data: await verifyAnchored(dependencies, { service, chain: 'audit' }, { after, limit }),
    }));
  }
  serveOperator(router, api.verifyJournal, dependencies, async ({ query: { after, limit } }) => ({
    data: await verifyAnchored(dependencies, journal, { after, limit }),
  }));
  serveOperator(router, api.verifyBooks, dependencies, async ({ query }) => {
    const until = performance.now() + verifyWithinMs;
    const path = `/internal/books/verify?${queryOf({ ...query })}`;
    const books = await askLongRunning('ledger', { path, answer: verifyOwnBooks.data });
    const { epoch } = await findAnchor(database, journal);
    const found = books && (await findBreak(chains, journal, { epoch, until }));
    if (!books || !found) {
      const message = 'the ledger, or the services that store its heads, do not answer; try again';
      throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', message);
    }
    const { brokenSequence: firstBrokenSequence, keptBy, anchored, next } = found;
    const isIntact = firstBrokenSequence === null;
    return { data: { ...books, journal: { isIntact, firstBrokenSequence, keptBy, anchored, next } } };
  });
  serveOperator(router, api.listAuditAnchors, dependencies, async () => ({
    data: (await findAnchors(database, followedChains)).map(view),
  }));
  serveOperator(router, api.beginAuditEpoch, dependencies, async ({ body }, { sub: operatorId }) => {
    const { service, chain, reason } = body;
    if (!isFollowed({ service, chain }))
      throw new Refusal('invalid', 'VALIDATION_ERROR', 'chain: only the ledger has a journal');
    const isCompared = await followToEnd(dependencies, await findAnchor(database, { service, chain }));
    const epoch = { service, chain, operatorId, reason, isCompared };
    const { anchor, isBegun } = await beginAuditEpoch(dependencies, epoch);
    return { data: view(anchor), status: isBegun ? 201 : 202 };
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
