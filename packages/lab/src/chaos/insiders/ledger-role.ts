import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { openAt } from '@plataforma/testing/insiders';
import { EndOfAct, given } from '../actors/acts/act.ts';
import { withdraw } from '../actors/acts/money-out.ts';
import { execute } from '../faults/database.ts';
import type { Attempt, AttemptContext } from './attempt.ts';
import { asService, cleanUp, copyRow, LONG_WAIT, requireAlarm, sourceOf } from './rows.ts';

const AMOUNT = 700;
const environment = 'sandbox';

/** Entries that the insider posts with the ledger's code, so that lines, hashes and balances are right. */
const kinds = {
  adjustment: { amount: AMOUNT, memo: 'acerto' },
  unblock: { amount: 1, memo: 'revisto' },
  withdrawal_created: { method: 'PIX', netAmount: 70, fee: 1 },
} as const;

async function postEntries(context: AttemptContext): Promise<string[]> {
  const { insiders, serviceUrls, platform } = context.world;
  const { id: merchantId, api } = context.cast.merchants.forged;
  const { postFacts } = await sourceOf('ledger', 'store/post-facts.ts');
  const database = openAt(serviceUrls.get('ledger') ?? '', 1);
  try {
    for (const [kind, given] of Object.entries(kinds)) {
      const reference = newId();
      const from = { occurredAt: new Date().toISOString(), orderedBy: `operator:${newId()}` };
      const fact = { merchantId, environment, kind, reference, ...from, ...given };
      // A repeated fact changes nothing.
      await eventually(() => database.transaction((tx) => postFacts(tx, [[fact]])), LONG_WAIT);
      const find = `SELECT id FROM journal_entries WHERE kind = '${kind}' AND reference = '${reference}'`;
      const [row] = await asService(context, 'ledger', find);
      if (!row) continue;
      for (const id of [merchantId, reference, String(row.id)]) insiders.forged.add(id);
      insiders.entries.set(kind, (insiders.entries.get(kind) ?? 0) + 1);
    }
  } finally {
    await database.close();
  }
  const { dice } = context;
  const answer = await withdraw(
    { api: api.sandbox, dice },
    { pixKey: dice.uuid(), pixKeyType: 'EVP', amount: 100 },
  );
  const id = String(given(answer).id);
  insiders.forged.add(id);
  return requireBlocked(platform.databaseUrls.withdrawals, id);
}

/** Waits until an alarm blocks the payout. Returns the harm if it is sent, or if no alarm names it. */
async function requireBlocked(url: string, id: string): Promise<string[]> {
  const state = `
    SELECT started_at IS NOT NULL AS "hasLeft",
      EXISTS (SELECT FROM unproven_payouts WHERE withdrawal_id = w.id AND reason = 'doubt') AS "isBlocked"
    FROM withdrawals w WHERE id = '${id}'`;
  const decided = async () => {
    const [row] = await execute(url, state);
    if (!row?.hasLeft && !row?.isBlocked) throw new Error('not decided yet');
    return row;
  };
  const row = await eventually(decided, LONG_WAIT).catch(() => null);
  if (row?.hasLeft) return [`withdrawal ${id} was paid out of a wallet with forged entries`];
  return row ? [] : [`no alarm names withdrawal ${id} of a wallet with forged entries`];
}

/** Adds card money that is due at once. */
async function addReceivable(context: AttemptContext): Promise<string[]> {
  const [charge, due] = [newId(), newId()];
  const { id: merchantId } = context.cast.merchants.forged;
  const changes = {
    ...{ charge_id: charge, merchant_id: merchantId, environment, due_reference: due, claimed_until: null },
    ...{ amount_cents: AMOUNT, remaining_cents: AMOUNT, settles_at: new Date(0).toISOString() },
  };
  await copyRow(context, { service: 'ledger', table: 'receivables', where: 'true', changes });
  const added = `FROM receivables WHERE charge_id = '${charge}'`;
  if ((await asService(context, 'ledger', `SELECT ${added}`)).length === 0)
    throw new EndOfAct('there is no card money to copy');
  const alarm = await requireAlarm(context, 'ledger', charge);
  const entries = `SELECT FROM journal_entries WHERE charge_id = '${charge}' OR reference = '${due}'`;
  const isSettled = (await asService(context, 'ledger', entries)).length > 0;
  await cleanUp(context, 'ledger', `DELETE ${added}`);
  return isSettled ? ['a forged receivable was settled', ...alarm] : alarm;
}

export const ledgerAttempts: readonly Attempt[] = [
  { name: 'entries without an order', play: postEntries },
  { name: 'an added receivable', play: addReceivable },
];
