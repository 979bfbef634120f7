import type { Truth } from '@plataforma/testing';
import { type Evidence, rowsOf } from './evidence.ts';
import { doubled, type Finding, lost, violation } from './finding.ts';

type Withdrawal = {
  id: string;
  environment: string;
  status: string;
  method: string;
  amount: number;
  fee: number;
  key: string | null;
  number: string | null;
};

const WITHDRAWALS = `
  SELECT id, environment, status, method, net_cents AS amount, fee_cents AS fee, pix_key AS key,
    provider_tx_id AS number
  FROM withdrawals`;

type Entry = { id: string; kind: string; taken: number; payout: number };

/**
 * Selects the entries of withdrawals. `taken` is the amount that left the available balance, and `payout` is
 * the amount that was posted to the account `payouts`.
 */
const ENTRIES = `
  SELECT reference AS id, kind,
    coalesce(-sum(amount_cents) FILTER (WHERE account LIKE 'available:%'), 0)::bigint AS taken,
    coalesce(sum(amount_cents) FILTER (WHERE account = 'payouts'), 0)::bigint AS payout
  FROM journal_entries JOIN journal_lines ON entry_id = id WHERE kind LIKE 'withdrawal\\_%' GROUP BY id`;

type Payout = Truth['payouts'][number];

/**
 * Invariant 3. Checks that every debited withdrawal has one payout at the bank, or that its money was
 * returned once. The bank's record has no TED, because operators send it by hand. `rest.ts` finds open
 * withdrawals.
 */
export async function checkWithdrawals({ databases, truth }: Evidence): Promise<Finding[]> {
  const withdrawals = await rowsOf<Withdrawal>(databases.withdrawals, WITHDRAWALS);
  const entries = await rowsOf<Entry>(databases.ledger, ENTRIES);
  const entriesOf = Map.groupBy(entries, ({ id }) => id);
  const payoutsOf = Map.groupBy(truth.payouts, ({ idEnvio }) => idEnvio);
  const withdrawalIds = new Set(withdrawals.map(({ id }) => id));
  const names = new Set(withdrawals.map(({ id }) => nameOf(id)));
  return [
    ...entries
      .filter(({ id }) => !withdrawalIds.has(id))
      .map(({ id, kind }) => violation(3, `${kind} is in the books for ${id}, which is no withdrawal`)),
    ...truth.payouts
      .filter(({ idEnvio }) => !names.has(idEnvio))
      .map(({ idEnvio }) => violation(3, `payout ${idEnvio} at the bank is of no withdrawal`)),
    ...withdrawals.flatMap((withdrawal) => [
      ...compareBooks(withdrawal, entriesOf.get(withdrawal.id) ?? []),
      ...compareBank(withdrawal, payoutsOf.get(nameOf(withdrawal.id)) ?? []),
    ]),
  ];
}

/** Returns the name of a payout at the bank, which is the withdrawal's id without hyphens. */
const nameOf = (id: string) => id.replaceAll('-', '');

/**
 * The numbers of entries that are possible for each status. An abandoned withdrawal may have no entries,
 * because the debit may never have happened.
 */
const inBooks: Record<string, readonly { created: number; completed: number; returned: number }[]> = {
  DEBITING: [
    { created: 0, completed: 0, returned: 0 },
    { created: 1, completed: 0, returned: 0 },
  ],
  REFUSED: [{ created: 0, completed: 0, returned: 0 }],
  ABANDONED: [
    { created: 0, completed: 0, returned: 0 },
    { created: 1, completed: 0, returned: 1 },
  ],
  PENDING: [{ created: 1, completed: 0, returned: 0 }],
  APPROVED: [{ created: 1, completed: 0, returned: 0 }],
  PROCESSING: [{ created: 1, completed: 0, returned: 0 }],
  COMPLETED: [{ created: 1, completed: 1, returned: 0 }],
  FAILED: [{ created: 1, completed: 0, returned: 1 }],
  REJECTED: [{ created: 1, completed: 0, returned: 1 }],
};

function compareBooks({ id, status, amount, fee }: Withdrawal, entries: readonly Entry[]): Finding[] {
  const count = (kind: string) => entries.filter((entry) => entry.kind === `withdrawal_${kind}`).length;
  const [created, completed, returned] = [count('created'), count('completed'), count('returned')];
  const what = `withdrawal ${id} is ${status}, and in the books ${created} times created, ${completed} completed, ${returned} returned`;
  const isRight = inBooks[status]?.some(
    (due) => due.created === created && due.completed === completed && due.returned === returned,
  );
  if (!isRight) {
    if (Math.max(created, completed, returned) > 1 || completed + returned > 1) return [doubled(3, what)];
    return [(inBooks[status]?.[0]?.returned ?? 0) > returned ? lost(3, what) : violation(3, what)];
  }
  return entries.flatMap((entry) => {
    const sign = entry.kind === 'withdrawal_created' ? 1 : -1;
    const taken = entry.kind === 'withdrawal_completed' ? 0 : sign * (amount + fee);
    if (entry.payout === sign * amount && entry.taken === taken) return [];
    return [violation(3, `${entry.kind} of ${id} took ${entry.taken} for a payout of ${entry.payout}`)];
  });
}

function compareBank(withdrawal: Withdrawal, payouts: readonly Payout[]): Finding[] {
  const { id, status, method } = withdrawal;
  const paid = payouts.filter((payout) => payout.status !== 'NAO_REALIZADO');
  const [payout] = paid;
  const what = `withdrawal ${id} is ${status}`;
  if (paid.length > 1) return [doubled(3, `${what}, and paid ${paid.length} times`)];
  if (!payout) {
    const isDue = status === 'COMPLETED' && method === 'PIX';
    return isDue ? [lost(3, `${what}, and the bank has not paid it`)] : [];
  }
  if (gaveBack.includes(status)) return [doubled(3, `${what}, its money is back, and the bank has paid it`)];
  const isOrdered = method === 'PIX' && (status === 'PROCESSING' || status === 'COMPLETED');
  if (isOrdered && isOf(withdrawal, payout)) return [];
  return [violation(3, `${what}, a ${method}, and the bank has paid ${JSON.stringify(payout)}`)];
}

const gaveBack = ['FAILED', 'REJECTED', 'ABANDONED', 'REFUSED'];

function isOf({ amount, key, environment, status, number }: Withdrawal, payout: Payout): boolean {
  return (
    payout.valor === amount &&
    payout.favorecido.chave === key &&
    payout.clientId === environment &&
    (status !== 'COMPLETED' || payout.endToEndId === number)
  );
}
