import { api, verifyOwnBooks } from '@plataforma/contracts';
import { type Router, serveTo } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { findBreak } from '../chains/find-break.ts';
import { journal } from '../domain/followed-chain.ts';
import { type VerifyAnchored, verifyAnchored } from '../operations/verify-anchored.ts';
import { findAnchor } from '../store/audit-anchors.ts';
import { type AskService, queryOf } from './ask-service.ts';
import type { Authenticate } from './authenticate.ts';

export interface BooksParts extends VerifyAnchored {
  authenticate: Authenticate;
  /** With time for a wallet of millions of entries. */
  askPatiently: AskService;
}

/** What the ledger says of its books, beside what others keep of its journal. */
export function booksRoutes(router: Router, parts: BooksParts): void {
  const { database, chains, authenticate, askPatiently, verifyWithinMs } = parts;
  serveTo(router, api.verifyBooks, {
    authenticate: (req) => authenticate.operator(req, api.verifyBooks),
    answer: async ({ query }) => {
      const until = performance.now() + verifyWithinMs;
      const path = `/internal/books/verify?${queryOf({ ...query })}`;
      const books = await askPatiently('ledger', { path, answer: verifyOwnBooks.data });
      const { epoch } = await findAnchor(database, journal);
      const found = books && (await findBreak(chains, journal, { epoch, until }));
      if (!books || !found) {
        const message = 'the ledger, or those that keep its heads, do not answer; try again';
        throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', message);
      }
      const { brokenSequence: firstBrokenSequence, keptBy, anchored, next } = found;
      const isIntact = firstBrokenSequence === null;
      return { data: { ...books, journal: { isIntact, firstBrokenSequence, keptBy, anchored, next } } };
    },
  });
  serveTo(router, api.verifyJournal, {
    authenticate: (req) => authenticate.operator(req, api.verifyJournal),
    answer: async ({ query: { after, limit } }) => ({
      data: await verifyAnchored(parts, journal, { after, limit }),
    }),
  });
}
