import { MAX_AMOUNT } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { given, until } from '../actors/acts/act.ts';
import { decide, withdraw } from '../actors/acts/money-out.ts';
import { earn } from '../actors/acts/selling.ts';
import { approvedBy } from '../actors/approver.ts';
import { execute } from '../faults/database.ts';
import { type Attempt, type AttemptContext, order, proposeAlone } from './attempt.ts';
import { LONG_WAIT } from './rows.ts';

/** FOUR_EYES_THRESHOLD of the platform that a run starts, in cents. */
const THRESHOLD = 5_000_000;
const SHARE = 2_000_000;

const production = 'production';

const adjustment = (amount: number): Attempt => ({
  name: `an adjustment of ${amount}`,
  play(context) {
    const { finance, merchants } = context.cast;
    const body = { merchantId: merchants.own.id, environment: production, amount, description: 'acerto' };
    return proposeAlone(context, {
      ...{ by: finance.client, what: `adjusted a wallet by ${amount}` },
      request: { method: 'POST', path: '/v1/admin/ledger/adjustments', body },
    });
  },
});

async function unblock(context: AttemptContext): Promise<string[]> {
  const { finance, honest, merchants, bank } = context.cast;
  const { dice } = context;
  await earn({ api: merchants.own.api.production, bank, dice }, 10_000);
  const body = { merchantId: merchants.own.id, environment: production, amount: 500, reason: 'penhora' };
  given(
    await order(context, honest.client, {
      method: 'POST',
      path: '/v1/admin/ledger/blocks',
      body,
    }),
  );
  return proposeAlone(context, {
    ...{ by: finance.client, what: 'released the money that a court blocked' },
    request: { method: 'POST', path: '/v1/admin/ledger/unblocks', body },
  });
}

/** Approves withdrawals above the daily sum of one operator. The merchant then cancels those that wait. */
async function approveMany(context: AttemptContext): Promise<string[]> {
  const { dice, world, cast } = context;
  const { finance, merchants } = cast;
  const api = merchants.own.api.production;
  await earnBalance(context, 3 * SHARE + 10_000);
  const ids: unknown[] = [];
  for (let count = 0; count < 3; count += 1) {
    const { data } = await withdraw({ api, dice }, { pixKey: dice.uuid(), pixKeyType: 'EVP', amount: SHARE });
    ids.push(data.id);
    await decide(finance.client, { id: data.id, step: 'approve', intent: dice.uuid() });
  }
  const alone = `
    SELECT coalesce(sum(amount_cents), 0)::bigint AS sum FROM withdrawals
    WHERE environment = 'production' AND first_approver = '${finance.id}' AND second_approver IS NULL
      AND status NOT IN ('PENDING', 'REJECTED')`;
  const url = world.platform.databaseUrls.withdrawals;
  const [row] = await eventually(() => execute(url, alone), LONG_WAIT);
  for (const id of ids) {
    const request = { action: 'cancel-withdrawal', method: 'DELETE', path: `/v1/withdrawals/${id}` } as const;
    await api.ask({ ...request, intent: dice.uuid(), again: 'as it is' });
  }
  const sum = Number(row?.sum);
  return sum > THRESHOLD ? [`one FINANCE approved ${sum} alone, beyond the sum of a day`] : [];
}

async function earnBalance({ cast, dice }: AttemptContext, amount: number): Promise<void> {
  const api = cast.merchants.own.api.production;
  await earn({ api, bank: cast.bank, dice }, amount);
  await until(async () => {
    const { data } = await api.read('read-balance', '/v1/balance');
    return Number(data.withdrawableBalance) >= amount ? data : undefined;
  });
}

/** Opens a dispute about a charge of the insider's merchant, and resolves the dispute for the payer. */
async function resolveOwnDispute(context: AttemptContext): Promise<string[]> {
  const { finance, honest, merchants, bank } = context.cast;
  const { dice } = context;
  const charge = await earn({ api: merchants.own.api.production, bank, dice }, 10_000);
  const body = { chargeId: charge.id, reason: 'FRAUD', description: 'o titular não reconhece' };
  const opened = given(
    await order(context, finance.client, { method: 'POST', path: '/v1/admin/disputes', body }),
  );
  const path = `/v1/admin/disputes/${opened.id}/resolve`;
  const resolve = (outcome: string) =>
    ({ method: 'POST', path, body: { outcome, resolution: 'decidido' } }) as const;
  const resolved = await order(context, finance.client, resolve('CUSTOMER'));
  await order(context, approvedBy(finance.client, honest.client), resolve('MERCHANT'));
  return resolved.isDone ? ['one FINANCE opened a dispute and resolved it for the payer'] : [];
}

const account = {
  ...{ type: 'BANK_ACCOUNT', bankCode: '341', branch: '0001', account: '55555-6', accountType: 'CHECKING' },
  ...{ holderName: 'Maria da Silva', holderDocument: '12345678909' },
};

/** Ends a TED above one operator's daily sum: first as failed, without a bank document, and then as paid. */
async function endTed(context: AttemptContext): Promise<string[]> {
  const { finance, honest, merchants } = context.cast;
  const { dice } = context;
  const api = merchants.own.api.production;
  await earnBalance(context, SHARE + 10_000);
  const saving = {
    action: 'create-destination',
    method: 'POST',
    path: '/v1/destinations',
    body: account,
  } as const;
  const payee = given(await api.ask({ ...saving, intent: dice.uuid(), again: 'by key' }));
  const id = String(given(await withdraw({ api, dice }, { destinationId: payee.id, amount: SHARE })).id);
  for (const { client } of [finance, honest])
    await decide(client, { id, step: 'approve', intent: dice.uuid() });
  await until(async () => {
    const { data: now } = await api.read('read-withdrawal', `/v1/withdrawals/${id}`);
    return now.status === 'PROCESSING' ? now : undefined;
  });
  const path = `/v1/admin/withdrawals/${id}`;
  const harm: string[] = [];
  const failed = await order(context, finance.client, {
    ...{ method: 'POST', path: `${path}/fail`, body: { reason: 'conta inexistente' } },
  });
  if (failed.isDone) harm.push('one FINANCE returned a TED without a document of the bank');
  const completion = { method: 'POST', path: `${path}/complete`, body: { providerTxId: 'TED-1' } } as const;
  harm.push(
    ...(await proposeAlone(context, {
      ...{ by: finance.client, what: 'completed a TED beyond the sum of a day', request: completion },
    })),
  );
  await order(context, approvedBy(finance.client, honest.client), completion);
  return harm;
}

export const financeAttempts: readonly Attempt[] = [
  adjustment(MAX_AMOUNT),
  adjustment(-1_000),
  { name: 'the release of blocked money', play: unblock },
  { name: 'approvals beyond the sum of a day', play: approveMany },
  { name: 'the end of a TED', play: endTed },
  { name: 'the decision about the own dispute', play: resolveOwnDispute },
];
