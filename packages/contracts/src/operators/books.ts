import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { type Definition, endpointsOf, everyRole } from '../endpoint.ts';
import { count, id, nullableText, sum } from '../fields.ts';
import { integerOr } from '../paging.ts';
import { anchorFields, chainQuery, chainVerification, headsResult } from './chains.ts';
import { merchantId } from './ledger.ts';

const environment = z.enum(environments);

const recorded = z.union([sum, z.string()]).nullable();

const verification = z
  .object({
    wallets: count.meta({ description: 'Number of wallets verified to their end.' }),
    entries: count.meta({ description: 'Number of entries checked one by one.' }),
    differences: z.array(
      z.object({
        merchantId: id,
        environment,
        what: z.string().meta({ example: 'available:PIX' }),
        recorded: recorded.meta({ description: 'Actual value: cents, or a hash.' }),
        computed: recorded.meta({ description: 'Value computed from the entries.' }),
      }),
    ),
    next: nullableText.meta({
      description: 'Cursor to send as `after` to continue. Null means that all rows were checked.',
    }),
  })
  .meta({ id: 'Verification' });

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const CURSOR = new RegExp(`^${ID}:(production|sandbox):(\\d{1,15}|${ID}|done)$`);

const verifyQuery = z.strictObject({
  merchantId: merchantId.optional(),
  environment: environment.optional(),
  after: z.string().regex(CURSOR, 'must be the next of an answer').optional(),
  limit: integerOr(20_000, 1, 100_000).meta({
    description: 'Approximate number of entries to check in this call.',
  }),
});

const ownBooks = endpointsOf('ledger', {
  verify: {
    route: 'GET /v1/admin/ledger/verify',
    access: everyRole,
    summary: 'Read the ledger’s verification of its own books',
    query: verifyQuery,
    data: verification,
  },
} as const satisfies Record<string, Definition>);

/**
 * The ledger's own verification of its books. Only the gateway calls this endpoint, and then compares the
 * hashes with those that other services store.
 */
export const verifyOwnBooks = ownBooks.verify;

/**
 * The gateway calls the ledger and compares the hashes of the journal with those that other services store.
 */
export const books = endpointsOf('gateway', {
  verifyBooks: {
    route: 'GET /v1/admin/ledger/verify',
    access: everyRole,
    summary: 'Recompute wallets from their entries and verify the entries',
    description:
      'Recomputes each wallet from lines and rows, each receivable from its entries, and the hash of each ' +
      'entry. Names the entries without an order (an event, an operator’s change or a debit) that the ' +
      'ledger has sealed. A difference is an error. If a call runs out of time, the next call continues. ' +
      'The journal has one head an hour over all wallets. The call compares these heads with the hashes ' +
      'that at least two other services store (`journal`). Books that were rewritten with all their hashes ' +
      'have no difference, but no longer match these heads. Heads that the call had no time to check are ' +
      'absent from the response; `journal.next` names them.',
    query: verifyQuery,
    data: verification.extend({ journal: headsResult }).meta({ id: 'BooksVerification' }),
  },

  verifyJournal: {
    route: 'GET /v1/admin/ledger/journal/verify',
    access: everyRole,
    summary: 'Verify the heads of the journal and their wallets',
    description:
      'Once an hour the ledger creates a head over the chain ends of all wallets that have grown. It ' +
      'publishes the hash of the head, which every other service stores. The call recomputes each head ' +
      'from the current entries and compares it with the hashes of at least two other services. If a call ' +
      'runs out of time, the next call continues.',
    query: chainQuery(50, 500),
    data: chainVerification.extend(anchorFields).meta({ id: 'JournalVerification' }),
  },
} as const satisfies Record<string, Definition>);
