import { brokenRules, type Databases, type Evidence, rowsOf } from './evidence.ts';
import { type Finding, violation } from './finding.ts';
import { readAnnounced } from './outboxes.ts';
import { type Owned, readOwners } from './owners.ts';
import { compareReaders } from './readers.ts';

const tenantOf = (row: string) => `(${row}.merchant_id, ${row}.environment)`;
const differ = (left: string, right: string) => `${tenantOf(left)} IS DISTINCT FROM ${tenantOf(right)}`;

const ledger = {
  'a row in the statement of another than its entry': `
    SELECT t.id AS what FROM wallet_transactions t JOIN journal_entries e ON e.id = t.entry_id
    WHERE ${differ('t', 'e')}`,
  'entries of one charge in two wallets': `
    SELECT charge_id AS what FROM journal_entries WHERE charge_id IS NOT NULL
    GROUP BY 1 HAVING count(DISTINCT (merchant_id, environment)) > 1`,
};

const charges = {
  'a payment, refund, dispute or unexpected payment of another than its charge': `
    SELECT concat(other.what, ' ', other.id) AS what FROM (
      SELECT 'payment' AS what, end_to_end_id AS id, charge_id, merchant_id, environment FROM payments
      UNION ALL SELECT 'refund', id::text, charge_id, merchant_id, environment FROM refunds
      UNION ALL SELECT 'dispute', id::text, charge_id, merchant_id, environment FROM disputes
      UNION ALL SELECT 'unexpected payment', id::text, charge_id, merchant_id, environment
      FROM unexpected_payments
    ) AS other JOIN charges c ON c.id = other.charge_id WHERE ${differ('other', 'c')}`,
  'a charge under somebody else’s key': `
    SELECT c.id AS what FROM charges c JOIN idempotency_keys k ON k.begun_id = c.id
    WHERE k.realm IN ('sandbox', 'production') AND (k.owner_id, k.realm) <> ${tenantOf('c')}`,
};

const withdrawals = {
  'a withdrawal to somebody else’s destination': `
    SELECT w.id AS what FROM withdrawals w JOIN destinations d ON d.id = w.destination_id
    WHERE ${differ('w', 'd')}`,
  'a withdrawal under somebody else’s key': `
    SELECT w.id AS what FROM withdrawals w JOIN idempotency_keys k ON k.begun_id = w.id
    WHERE (k.owner_id, k.realm) <> ${tenantOf('w')}`,
};

const webhooks = {
  'a delivery of another’s event': `
    SELECT d.id AS what FROM deliveries d JOIN events e ON e.id = d.event_id WHERE ${differ('d', 'e')}`,
  'a delivery to another’s endpoint': `
    SELECT d.id AS what FROM deliveries d JOIN configurations c ON c.id = d.configuration_id
    WHERE ${differ('d', 'c')}`,
  'an attempt in another’s list': `
    SELECT a.delivery_id AS what FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id
    WHERE ${differ('a', 'd')}`,
};

/** Invariant 10. Checks that no object refers to an object of another merchant or another environment. */
export async function checkTenants(evidence: Evidence): Promise<Finding[]> {
  const { databases } = evidence;
  const owners = await readOwners(databases);
  return [
    ...(await brokenRules(databases.ledger, 10, ledger)),
    ...(await brokenRules(databases.charges, 10, charges)),
    ...(await brokenRules(databases.withdrawals, 10, withdrawals)),
    ...(await brokenRules(databases.webhooks, 10, webhooks)),
    ...(await compareCopies(databases, owners)),
    ...compareReaders(evidence.calls, owners),
  ];
}

/** Checks that each entry and each event has the same owner as the object that it is about. */
async function compareCopies(databases: Databases, owners: ReadonlyMap<string, string>): Promise<Finding[]> {
  const posted = await rowsOf<Owned & { subject: string }>(
    databases.ledger,
    `SELECT id, concat(merchant_id, ' ', environment) AS owner, unnest(ARRAY[reference, charge_id]) AS subject
     FROM journal_entries WHERE kind NOT LIKE 'unexpected_payment\\_%'`,
  );
  const announced = (await readAnnounced(databases)).map(({ id, aggregate, merchant, environment }) => ({
    id,
    subject: aggregate,
    owner: `${merchant} ${environment}`,
  }));
  const webhookEvents = await rowsOf<Owned & { subject: string }>(
    databases.webhooks,
    `SELECT id, concat(merchant_id, ' ', environment) AS owner, resource_id AS subject FROM events`,
  );
  return [...posted, ...announced, ...webhookEvents]
    .filter(({ subject, owner }) => owners.has(subject) && owners.get(subject) !== owner)
    .map(({ id, owner, subject }) =>
      violation(10, `${id} is of ${owner}, and about ${subject}, which is not`),
    );
}
