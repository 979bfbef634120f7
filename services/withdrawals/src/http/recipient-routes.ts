import { api } from '@plataforma/contracts';
import { type Bulkhead, type Router, serve, type Verifier } from '@plataforma/http';
import { recognizePixKey } from '../domain/recipient-key.ts';
import { LookupsUsedUp } from '../domain/recipient-limit.ts';
import { type FindRecipient, findRecipient } from '../operations/find-recipient.ts';

interface RecipientRoutes extends FindRecipient {
  verifier: Verifier;
  recipientBulkhead: Bulkhead;
}

/** Adds the route before `/v1/withdrawals/:id`, which would also match its path. */
export function recipientRoutes(
  router: Router,
  { verifier, recipientBulkhead, ...dependencies }: RecipientRoutes,
): void {
  serve(router, api.getRecipient, {
    verifier,
    answer: async ({ query }, merchant, res) => {
      const key = recognizePixKey(query, merchant.environment);
      const finding = recipientBulkhead(merchant, () => findRecipient(dependencies, merchant, key));
      const data = await finding.catch((error) => {
        if (error instanceof LookupsUsedUp) res.setHeader('Retry-After', error.seconds);
        throw error;
      });
      return { data };
    },
  });
}
