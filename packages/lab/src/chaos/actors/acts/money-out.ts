import { type Environment, MIN_AMOUNT } from '@plataforma/kernel';
import type { Answer, Client, ClientRequest, Thing } from '../client.ts';
import { type Act, type ActContext, atOnce, given, until } from './act.ts';
import { earn } from './selling.ts';

type Manner = ClientRequest['again'];

/**
 * Returns the body of a withdrawal to a Pix key. The default is a random key that no other withdrawal uses.
 */
export function toKey(context: ActContext, pixKey = context.dice.uuid()): Thing {
  return { pixKey, pixKeyType: pixKey.includes('@') ? 'EMAIL' : 'EVP', amount: context.dice.int(200, 4_000) };
}

/**
 * Orders a withdrawal. With an Idempotency-Key or an externalId, the request is retried until it has an
 * answer. Otherwise it is sent once; without an answer, the list of withdrawals is read once.
 */
export async function withdraw(
  { api, dice }: Pick<ActContext, 'api' | 'dice'>,
  to: Thing,
  again: Manner = 'by key',
): Promise<Answer> {
  const intent = dice.uuid();
  const body = again === 'as it is' ? { ...to, externalId: `saque-${intent}` } : to;
  const request = { action: 'create-withdrawal', method: 'POST', path: '/v1/withdrawals', body } as const;
  const answer = await api.ask({ ...request, intent, again });
  if (again !== 'never' || (answer.status !== null && answer.status < 500)) return answer;
  const { list } = await api.read('look-for-withdrawal', '/v1/withdrawals?limit=100');
  const found = list.find(({ pixKey, amount }) => pixKey === to.pixKey && amount === to.amount);
  return found ? { ...answer, isDone: true, data: found } : answer;
}

type Step = 'approve' | 'reject' | 'complete' | 'fail';

const bodies: Record<Step, Thing | undefined> = {
  approve: undefined,
  reject: { reason: 'o favorecido não confere' },
  complete: { providerTxId: 'TED-1' },
  fail: { reason: 'conta inexistente', bankReference: 'DEV-1' },
};

export function decide(operator: Client, { id, step, intent }: { id: unknown; step: Step; intent: string }) {
  const body = bodies[step];
  return operator.ask({
    action: `${step}-withdrawal`,
    method: 'POST',
    path: `/v1/admin/withdrawals/${id}/${step}`,
    ...(body && { body }),
    intent,
    again: 'as it is',
  });
}

async function decideAtOnce(
  { operators, dice }: ActContext,
  id: unknown,
  steps: readonly Step[],
): Promise<void> {
  const intents = steps.map(() => dice.uuid());
  await atOnce(steps.length, (number) => {
    const operator = operators[number % 2 === 1 ? 0 : 1];
    return decide(operator, { id, step: steps[number - 1] ?? 'approve', intent: `${intents[number - 1]}` });
  });
}

export const inEnvironment = (context: ActContext, environment: Environment): ActContext => ({
  ...context,
  environment,
  api: context.merchant.api[environment],
});

async function approveAndReject(anywhere: ActContext): Promise<void> {
  const context = inEnvironment(anywhere, 'production');
  const { id } = given(await withdraw(context, toKey(context)));
  await decideAtOnce(context, id, ['approve', 'reject', 'approve']);
}

function cancel({ api, dice }: ActContext, id: unknown): Promise<Answer> {
  const request = { action: 'cancel-withdrawal', method: 'DELETE', path: `/v1/withdrawals/${id}` } as const;
  return api.ask({ ...request, intent: dice.uuid(), again: 'as it is' });
}

/** The merchant cancels a withdrawal once or twice, while operators approve it. */
async function cancelWhileApproved(anywhere: ActContext): Promise<void> {
  const context = inEnvironment(anywhere, 'production');
  const { id } = given(await withdraw(context, toKey(context)));
  const times = context.dice.int(1, 2);
  await Promise.all([
    ...Array.from({ length: times }, () => cancel(context, id)),
    decideAtOnce(context, id, ['approve', 'approve']),
  ]);
}

async function cancelPending(anywhere: ActContext): Promise<void> {
  const context = inEnvironment(anywhere, 'production');
  const { id } = given(await withdraw(context, toKey(context)));
  await cancel(context, id);
}

/**
 * Orders a withdrawal above the threshold from which the platform requires two approvals. A second approval
 * by the same operator must not count.
 */
async function askTwoPeople(anywhere: ActContext): Promise<void> {
  const context = inEnvironment(anywhere, 'production');
  const last = context.dice.pick(['approve', 'reject'] as const);
  const amount = 5_000_001;
  await earn(context, amount);
  const { id } = given(await withdraw(context, { ...toKey(context), amount }));
  const [first, second] = context.operators;
  await decide(first, { id, step: 'approve', intent: context.dice.uuid() });
  await decide(first, { id, step: 'approve', intent: context.dice.uuid() });
  await decide(second, { id, step: last, intent: context.dice.uuid() });
}

const account = {
  type: 'BANK_ACCOUNT',
  bankCode: '341',
  branch: '0001',
  accountType: 'CHECKING',
  holderName: 'Maria da Silva',
  holderDocument: '12345678909',
};

async function destination({ api, dice }: ActContext, body: Thing): Promise<unknown> {
  const request = { action: 'create-destination', method: 'POST', path: '/v1/destinations', body } as const;
  const again = dice.oneIn(2) ? 'by key' : 'as it is';
  return given(await api.ask({ ...request, intent: dice.uuid(), again })).id;
}

async function transfer(context: ActContext): Promise<void> {
  const { api, dice } = context;
  const number = String(dice.int(10_000, 99_999));
  const ends = dice.pick([['complete'], ['fail'], ['complete', 'fail']] as const);
  const destinationId = await destination(context, { ...account, account: `${number}-6` });
  const { id } = given(await withdraw(context, { destinationId, amount: dice.int(200, 4_000) }));
  await decideAtOnce(context, id, ['approve', 'approve']);
  await until(async () => {
    const { data } = await api.read('read-withdrawal', `/v1/withdrawals/${id}`);
    return data.status === 'PROCESSING' ? data : undefined;
  });
  await decideAtOnce(context, id, ends);
}

async function withdrawToDestination(context: ActContext): Promise<void> {
  const { api, dice } = context;
  const isDeleted = dice.oneIn(2);
  const intent = dice.uuid();
  const { pixKey, pixKeyType, amount } = toKey(context);
  const destinationId = await destination(context, { type: 'PIX', pixKey, pixKeyType });
  await withdraw(context, { destinationId, amount }, 'as it is');
  if (!isDeleted) return;
  const path = `/v1/destinations/${destinationId}`;
  await api.ask({ action: 'delete-destination', method: 'DELETE', path, intent, again: 'as it is' });
}

export async function balanceOf({ api }: ActContext): Promise<number> {
  return Number(given(await api.read('read-balance', '/v1/balance')).withdrawableBalance);
}

interface Crowd {
  orders: number;
  covered: number;
}

/**
 * Orders more withdrawals than the balance covers, then earns new money. The act uses the sandbox, where
 * withdrawals need no approval.
 */
async function withdrawTooMuch(anywhere: ActContext, { orders, covered }: Crowd): Promise<void> {
  const context = inEnvironment(anywhere, 'sandbox');
  const manner = context.dice.pick<Manner>(['by key', 'as it is', 'never']);
  const own = Array.from({ length: orders }, (_, index) => context.dice.named(`order ${index}`));
  const share = 0.8 / covered;
  const amount = Math.max(Math.floor((await balanceOf(context)) * share), MIN_AMOUNT);
  await Promise.all(
    own.map((dice) => withdraw({ ...context, dice }, { ...toKey({ ...context, dice }), amount }, manner)),
  );
  await earn(context, covered * amount);
}

/** Sends the same withdrawal three times in parallel, and once more afterwards. */
async function withdrawOnce({ api, dice }: ActContext, isKeyed: boolean): Promise<void> {
  const intent = dice.uuid();
  const to = { pixKey: dice.uuid(), pixKeyType: 'EVP', amount: dice.int(200, 4_000) };
  const body = isKeyed ? to : { ...to, externalId: `saque-${intent}` };
  const request = { action: 'create-withdrawal', method: 'POST', path: '/v1/withdrawals', body } as const;
  const send = () => api.ask({ ...request, intent, again: isKeyed ? 'by key' : 'as it is' });
  await atOnce(3, send);
  await send();
}

async function payCode(context: ActContext): Promise<void> {
  const { api, stranger, environment, dice } = context;
  const intents = [dice.uuid(), dice.uuid()];
  const amount = dice.int(200, 4_000);
  const order = { amount, externalId: `order-${intents[0]}`, payerName: 'Ana', payerDocument: '12345678909' };
  const selling = { action: 'create-charge', method: 'POST', path: '/v1/charges', body: order } as const;
  const theirs = stranger.api[environment];
  const { qrCode } = given(await theirs.ask({ ...selling, intent: `${intents[0]}`, again: 'as it is' }));
  const decoding = { action: 'decode-qr', method: 'POST', path: '/v1/withdrawals/decode-qr' } as const;
  const decodeRequest = {
    ...decoding,
    body: { brCode: qrCode },
    intent: `${intents[1]}`,
    again: 'as it is',
  } as const;
  const { pixKey, pixKeyType } = given(await api.ask(decodeRequest));
  await withdraw(context, { pixKey, pixKeyType, amount, source: 'QR_CODE' });
}

const to = (pixKey: string) => (context: ActContext) => withdraw(context, toKey(context, pixKey));

export const moneyOut: readonly Act[] = [
  { name: 'withdraw by key', weight: 4, play: (context) => withdraw(context, toKey(context)) },
  {
    name: 'withdraw by externalId',
    weight: 3,
    play: (context) => withdraw(context, toKey(context), 'as it is'),
  },
  {
    name: 'withdraw without a name',
    weight: 3,
    play: (context) => withdraw(context, toKey(context), 'never'),
  },
  { name: 'withdraw once by key', weight: 2, play: (context) => withdrawOnce(context, true) },
  { name: 'withdraw once by externalId', weight: 1, play: (context) => withdrawOnce(context, false) },
  { name: 'withdraw to a key that fails', weight: 2, play: to('fail@sandbox.test') },
  { name: 'withdraw to a key that is refused', weight: 2, play: to('invalid@sandbox.test') },
  { name: 'withdraw to a key that is slow', weight: 1, play: to('slow@sandbox.test') },
  { name: 'withdraw to a key that is slower', weight: 1, play: to('timeout@sandbox.test') },
  {
    name: 'withdraw more than there is, at once',
    weight: 3,
    play: (context) => withdrawTooMuch(context, { orders: 5, covered: 2 }),
  },
  {
    name: 'withdraw more than there is, in a crowd',
    weight: 1,
    play: (context) => withdrawTooMuch(context, { orders: 30, covered: 3 }),
  },
  { name: 'withdraw to a destination', weight: 1, play: withdrawToDestination },
  { name: 'transfer to a bank', weight: 2, play: transfer },
  { name: 'approve and reject', weight: 3, play: approveAndReject },
  { name: 'cancel while it is approved', weight: 3, play: cancelWhileApproved },
  { name: 'cancel a withdrawal', weight: 1, play: cancelPending },
  { name: 'ask two people', weight: 1, play: askTwoPeople },
  { name: 'pay a code', weight: 1, play: payCode },
];
