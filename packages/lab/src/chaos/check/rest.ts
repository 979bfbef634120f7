import { setTimeout as sleep } from 'node:timers/promises';
import { producers } from '@plataforma/events';
import type { Bank, Truth } from '@plataforma/testing';
import { aheadOf } from './ahead.ts';
import { findUndisputed } from './contested.ts';
import { findUnapplied } from './events.ts';
import { type Databases, type Evidence, rowsOf } from './evidence.ts';
import { type Finding, violation } from './finding.ts';
import { withoutForged } from './insiders.ts';
import { readAnnounced, readHeads } from './outboxes.ts';

interface Dependencies {
  databases: Databases;
  bank: Pick<Bank, 'truth'>;
  poison: Evidence['poison'];
  insiders?: Evidence['insiders'];
}

const TIMEOUT_MS = 180_000;
const CHECK_EVERY_MS = 500;

/**
 * Waits until the platform has no work in progress. Returns the work that is still in progress at the
 * timeout.
 */
export async function rest(dependencies: Dependencies, timeoutMs = TIMEOUT_MS): Promise<Finding[]> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    await dependencies.databases.charges.query(PUT_OFF);
    const open = withoutForged(await findOpen(dependencies), dependencies.insiders);
    if (open.length === 0 || performance.now() > deadline) return open;
    await sleep(CHECK_EVERY_MS);
  }
}

/**
 * Lists the work in progress. It checks causes before their effects, so that work which starts meanwhile is
 * not missed.
 */
async function findOpen({ databases, bank, poison }: Dependencies): Promise<Finding[]> {
  const truth = await bank.truth();
  const money = [
    ...underWayAtBank(truth),
    ...(await findUnrecorded(databases, truth)),
    ...(await findUndisputed(databases, truth)).map(({ idInfracao }) =>
      violation(4, `infraction ${idInfracao} has opened no dispute yet`),
    ),
    ...(await openIn(databases.charges, OPEN_CHARGES)),
    ...(await openIn(databases.withdrawals, OPEN_WITHDRAWALS)),
  ];
  const heads = await openHeads(databases);
  const all = [...(await readAnnounced(databases)), ...(await readHeads(databases))];
  const announced = all.filter(({ id }) => !poison.has(id));
  const unpublished = announced.filter(({ is_published }) => !is_published);
  const unapplied = await findUnapplied(databases, announced);
  return [
    ...money,
    ...heads,
    ...unpublished.map(({ id, type }) => violation(8, `${type} ${id} is still in its outbox`)),
    ...unapplied.map(({ id, type, subscriber }) =>
      violation(8, `${subscriber} has not applied ${type} ${id} yet`),
    ),
    ...(await openIn(databases.ledger, OPEN_RECEIVABLES)),
    ...(await openIn(databases.webhooks, OPEN_DELIVERIES)),
  ];
}

/** Lists hash chains with entries that are newer than the last published hash of the chain. */
async function openHeads(databases: Databases): Promise<Finding[]> {
  const open = [await openIn(databases.ledger, GROWN_WALLETS)];
  for (const service of producers) open.push(await openIn(databases[service], BEHIND));
  return open.flat();
}

function underWayAtBank({ refunds, payouts, cardCharges }: Truth): Finding[] {
  return [
    ...refunds
      .filter(({ status }) => status === 'EM_PROCESSAMENTO')
      .map(({ endToEndId }) => violation(4, `the bank still returns ${endToEndId}`)),
    ...payouts
      .filter(({ status }) => status === 'EM_PROCESSAMENTO')
      .map(({ idEnvio }) => violation(3, `the bank still pays ${idEnvio}`)),
    ...cardCharges
      .filter(({ status }) => status === 'processing')
      .map(({ code }) => violation(2, `the acquirer still decides on ${code}`)),
  ];
}

/**
 * Lists payments that the platform has not recorded yet. Even without a callback, the platform finds each
 * payment in the bank's list.
 */
async function findUnrecorded({ charges }: Databases, { payments }: Truth): Promise<Finding[]> {
  const rows = await rowsOf<{ number: string }>(charges, 'SELECT end_to_end_id AS number FROM pix_numbers');
  const recorded = new Set(rows.map(({ number }) => number));
  return payments
    .filter(({ endToEndId }) => !recorded.has(endToEndId))
    .map(({ endToEndId }) => violation(2, `payment ${endToEndId} is not recorded yet`));
}

type Open = { invariant: Finding['invariant']; what: string };

async function openIn(client: Databases['charges'], sql: string): Promise<Finding[]> {
  return (await rowsOf<Open>(client, sql)).map(({ invariant, what }) =>
    violation(invariant, `${what} is still open`),
  );
}

/**
 * Postpones the checks of open charges by a day if they are due within an hour, because each expiry would
 * start new deliveries. The platform finds due charges only by `next_check_at`.
 */
const PUT_OFF = `
  UPDATE charges SET next_check_at = now() + interval '1 day'
  WHERE id IN (
    SELECT id FROM charges WHERE status = 'PENDING' AND next_check_at BETWEEN now()
    AND now() + interval '1 hour'
      AND (expires_at - ${aheadOf('charges')} BETWEEN now() AND now() + interval '1 hour'
      OR acquirer_id IS NOT NULL AND NOT is_voiding)
    FOR NO KEY UPDATE SKIP LOCKED)`;

/**
 * Selects charges, refunds, returns and evidence with work in progress. Leaves out approved card charges that
 * wait for their caller, and Pix charges that wait for their payer.
 */
const OPEN_CHARGES = `
  SELECT 2 AS invariant, concat('card charge ', id) AS what FROM charges
  WHERE payment_method = 'CARD' AND status = 'PENDING'
    AND (acquirer_id IS NULL OR is_voiding OR next_check_at < now() + interval '1 hour')
  UNION ALL SELECT 6, concat('the expiry of charge ', id) FROM charges
  WHERE payment_method = 'PIX' AND status = 'PENDING'
  AND expires_at - ${aheadOf('charges')} < now() + interval '1 hour'
    AND next_check_at < now() + interval '1 hour'
  UNION ALL SELECT 4, concat('refund ', id) FROM refunds WHERE status NOT IN ('DONE', 'REFUSED')
  UNION ALL SELECT 4, concat('return of ', end_to_end_id) FROM unexpected_payments WHERE status = 'RETURNING'
  UNION ALL SELECT 4, concat('evidence of dispute ', id) FROM disputes WHERE forward_at IS NOT NULL`;

/** Selects the card charges whose settlement time has passed although their money is not settled yet. */
const OPEN_RECEIVABLES = `
  SELECT 2 AS invariant, concat('card money of charge ', charge_id) AS what FROM receivables
  WHERE remaining_cents > 0 AND settles_at - ${aheadOf('receivables')} < now() - interval '1 minute'`;

/**
 * A hash chain is checked only if its next hash is due within a minute. The usual interval between hashes is
 * an hour, but a chaos run shortens it to less than a minute.
 */
const SOON = `next_at < now() + interval '1 minute'`;
const BEHIND = `
  SELECT 6 AS invariant, concat('the next head of ', chain) AS what FROM chain_heads
  WHERE chain = 'audit' AND ${SOON} AND sequence < (SELECT max(sequence) FROM audit_log)`;
const GROWN_WALLETS = `
  SELECT 1 AS invariant, concat('the next head of the journal, of wallet ', merchant_id) AS what
  FROM wallets JOIN chain_heads ON chain = 'journal' AND ${SOON}
  WHERE chain_sequence > coalesce((SELECT max(wallet_sequence) FROM journal_head_wallets of_head
    WHERE (of_head.merchant_id, of_head.environment) = (wallets.merchant_id, wallets.environment)), 0)`;

/**
 * Selects withdrawals in progress. Withdrawals that wait for an operator or for a planned time are left out.
 */
const OPEN_WITHDRAWALS = `
  SELECT 3 AS invariant, concat('withdrawal ', id, ', which is ', status,
    CASE WHEN doubted_at IS NOT NULL THEN ' in doubt' END) AS what FROM withdrawals
  WHERE status IN ('DEBITING', 'PENDING', 'APPROVED', 'PROCESSING')
    AND NOT (status = 'PENDING' AND num_nonnulls(first_approver, second_approver) < approvals_needed)
    AND NOT (method = 'TED' AND status = 'PROCESSING')
    AND coalesce(payable_from - ${aheadOf('withdrawals')}, '-infinity') < now()`;

/**
 * Selects deliveries in progress. Leaves out deliveries with the extended schedule after six attempts,
 * because this schedule takes a day.
 */
const OPEN_DELIVERIES = `
  SELECT 7 AS invariant, concat('delivery ', d.id, ' after ', d.attempts, ' attempts') AS what
  FROM deliveries d JOIN configurations c ON c.id = d.configuration_id
  WHERE d.status = 'PENDING' AND NOT (c.retry_schedule = 'extended' AND d.attempts >= 6)`;
