import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { type Definition, endpointsOf, everyRole } from '../endpoint.ts';
import { count, id, integerOr, nullableText, sum } from '../fields.ts';
import { anchorFields, chainQuery, chainVerification, headsResult } from './chains.ts';
import { merchantId } from './ledger.ts';

const environment = z.enum(environments);

const recorded = z.union([sum, z.string()]).nullable();

const verification = z
  .object({
    wallets: count.meta({ description: 'How many were verified to their end.' }),
    entries: count.meta({ description: 'How many entries were looked at one by one.' }),
    differences: z.array(
      z.object({
        merchantId: id,
        environment,
        what: z.string().meta({ example: 'available:PIX' }),
        recorded: recorded.meta({ description: 'As it is: cents, or a hash.' }),
        computed: recorded.meta({ description: 'As the entries have it.' }),
      }),
    ),
    next: nullableText.meta({ description: 'Send it as `after` to go on; null: that was all.' }),
  })
  .meta({ id: 'Verification' });

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const CURSOR = new RegExp(`^${ID}:(production|sandbox):(\\d{1,15}|${ID}|done)$`);

const verifyQuery = z.strictObject({
  merchantId: merchantId.optional(),
  environment: environment.optional(),
  after: z.string().regex(CURSOR, 'must be the next of an answer').optional(),
  limit: integerOr(20_000, 1, 100_000).meta({
    description: 'About how many entries to look at in this call.',
  }),
});

const ownBooks = endpointsOf('ledger', {
  verify: {
    route: 'GET /v1/admin/ledger/verify',
    access: everyRole,
    summary: 'What the ledger says of its own books',
    query: verifyQuery,
    data: verification,
  },
} as const satisfies Record<string, Definition>);

/** The ledger's own verification of its books; the gateway asks other services about the heads. */
export const verifyOwnBooks = ownBooks.verify;

/** The gateway asks the ledger, and compares with the heads of its journal that others keep. */
export const books = endpointsOf('gateway', {
  verifyBooks: {
    route: 'GET /v1/admin/ledger/verify',
    access: everyRole,
    summary: 'Recompute wallets from their entries and check that no entry was tampered with',
    description:
      'Every wallet is added up from lines and rows, every receivable from its entries, and every entry’s hash is computed ' +
      'again. There must be no difference. What takes too long for one call is gone on with by the next. The heads of the ' +
      'journal, one an hour over all wallets, are compared with what at least two other services keep of them (`journal`): ' +
      'books that were written anew with all their hashes have no difference, and no longer fit these. Heads for which the time did not suffice are not part of the answer, and `journal.next` says which.',
    query: verifyQuery,
    data: verification.extend({ journal: headsResult }).meta({ id: 'BooksVerification' }),
  },

  verifyJournal: {
    route: 'GET /v1/admin/ledger/journal/verify',
    access: everyRole,
    summary: 'Check that no head of the journal, nor any wallet below it, was written anew',
    description:
      'Once an hour the ledger makes a head over the ends of the chains of all wallets that have grown, and announces its ' +
      'hash, which every other service keeps. Each head is computed again from the entries as they are, and compared with ' +
      'what at least two others keep. What takes too long for one call is gone on with by the next.',
    query: chainQuery(50, 500),
    data: chainVerification.extend(anchorFields).meta({ id: 'JournalVerification' }),
  },
} as const satisfies Record<string, Definition>);
