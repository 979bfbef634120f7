import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { sourcesOf } from '../src/state-tables.ts';

const services = join(import.meta.dirname, '../../../services');

/** What packages/work does: claims, leases, backoff. */
const byHand = {
  claims: /SKIP LOCKED/,
  leases: /\b(leased?_until|claimed_until|next_turn_at) = .*interval/,
  backoff: /\b2 \*\*|Math\.pow|\bpower\(/,
};

/** Those that remain, each with the reason. */
const exceptions: Record<keyof typeof byHand, Record<string, string>> = {
  claims: {
    'charges/disputes/store/dispute-files.ts': 'sealed anew in the transaction that locks it',
    'gateway/store/api-keys.ts': 'announced in the transaction that locks it',
    'ledger/store/moved-clocks.ts': 'as in receivables.ts, for sandboxes that are ahead',
    'ledger/store/receivables.ts': 'settled by the batch, without a provider; its claim only spares work',
    'sandbox-psp/store/table.ts': 'ends in the transaction that locks it: a lease is one statement more',
    'webhooks/store/deliveries.ts': 'claimed in turns by endpoint, thousands a second',
    'webhooks/store/endpoint-health.ts': 'announced in the transaction that locks it',
    'webhooks/store/sealed-secrets.ts': 'sealed anew in the transaction that locks it',
    'webhooks/store/webhook-faults.ts': 'taken for a delivery in the transaction that locks it',
  },
  leases: {
    'ledger/store/book-checks.ts': 'one row, whose turns are counted and rest by how long they took',
    'ledger/store/moved-clocks.ts': 'settled by the batch',
    'ledger/store/receivables.ts': 'settled by the batch',
    'webhooks/store/deliveries.ts': 'claimed in turns by endpoint, settled by the hundred',
    'webhooks/store/webhook-faults.ts': 'looks whether the lease of a delivery is its sender’s',
  },
  backoff: {},
};

const sources = readdirSync(services).flatMap((service) =>
  sourcesOf(join(services, service)).map(({ path, text }) => ({ path: `${service}/${path}`, text })),
);

test.each(['claims', 'leases', 'backoff'] as const)(
  'no service makes %s by hand, but for the exceptions',
  (what) => {
    const found = sources.filter(({ text }) => byHand[what].test(text)).map(({ path }) => path);

    expect(found.sort()).toEqual(Object.keys(exceptions[what]).sort());
  },
);
