import { setTimeout as sleep } from 'node:timers/promises';
import { cnpjOf } from '@plataforma/testing';
import type { Client, ClientRequest, Thing } from '../client.ts';
import { fixed } from '../credentials.ts';
import { logInAsOperator } from '../merchants.ts';
import { type Act, type ActContext, EndOfAct, given } from './act.ts';

const DIGITS = { from: 200_000_000_000, to: 999_999_999_999 };

/**
 * Registers a company and returns its tokens. If an earlier attempt has already registered the company, it
 * logs in.
 */
async function enter({ merchant, dice }: ActContext) {
  const nobody = merchant.dashboard.as(fixed());
  const login = { email: `${dice.uuid()}@loja.test`, password: 'uma senha comprida' };
  const cnpj = cnpjOf(dice.int(DIGITS.from, DIGITS.to));
  const company = { companyName: 'Loja nova', cnpj, phone: '11987654321' };
  const asking = { method: 'POST', intent: login.email, again: 'as it is' } as const;
  const registering = {
    ...asking,
    action: 'register',
    path: '/v1/auth/register',
    body: { ...login, ...company },
  };
  const registered = await nobody.ask(registering);
  const isThere = registered.code === 'ACCOUNT_EXISTS';
  const tokens = isThere
    ? await nobody.ask({ ...asking, action: 'log-in', path: '/v1/auth/login', body: login })
    : registered;
  return given(tokens);
}

/** Returns a client that uses this session token and never renews it. */
const holder = (somebody: Client, token: unknown) => somebody.as(fixed({ authorization: `Bearer ${token}` }));

/** Registers a company. An operator then approves, rejects, suspends or reactivates it in several steps. */
async function join(context: ActContext): Promise<void> {
  const { operators, dice } = context;
  const steps = dice.oneIn(3) ? ['reject', 'reactivate', 'approve'] : ['approve', 'suspend', 'reactivate'];
  const intents = steps.map(() => dice.uuid());
  const account = holder(context.merchant.dashboard, (await enter(context)).accessToken);
  const { id } = given(await account.read('read-account', '/v1/account'));
  for (const [index, step] of steps.entries()) {
    const path = `/v1/admin/merchants/${id}/${step}`;
    const body = step === 'approve' ? undefined : { reason: 'por causa dos documentos' };
    const request = { action: `${step}-merchant`, method: 'POST', path, ...(body && { body }) } as const;
    await operators[0].ask({ ...request, intent: intents[index] ?? '', again: 'as it is' });
  }
}

/**
 * The time after which every replica refuses an ended session. It is longer than the five seconds that the
 * contract allows for operators' sessions.
 */
const REFUSED_EVERYWHERE_MS = 6_000;

/** Uses an ended session. The checker expects a 401 for this action. */
async function useEnded(ended: Client, path: string): Promise<void> {
  await sleep(REFUSED_EVERYWHERE_MS);
  await ended.read('use-ended-session', path);
}

async function logOut(context: ActContext): Promise<void> {
  const intents = [context.dice.uuid(), context.dice.uuid()];
  const { accessToken, refreshToken } = await enter(context);
  const account = holder(context.merchant.dashboard, accessToken);
  const refreshing = { action: 'refresh-session', method: 'POST', path: '/v1/auth/refresh' } as const;
  const refreshRequest = {
    ...refreshing,
    body: { refreshToken },
    intent: `${intents[0]}`,
    again: 'as it is',
  } as const;
  const another = holder(account, given(await account.ask(refreshRequest)).accessToken);
  const leaving = { action: 'log-out', method: 'POST', path: '/v1/auth/logout' } as const;
  given(await another.ask({ ...leaving, intent: `${intents[1]}`, again: 'never' }));
  await useEnded(account, '/v1/account');
}

/**
 * Creates an operator, then deactivates the operator or changes the operator's password. Afterwards a request
 * uses a token from before that change.
 */
async function replaceOperator(context: ActContext): Promise<void> {
  const { operators, dice } = context;
  const [email, password] = [`${dice.uuid()}@plataforma.test`, 'uma senha bem comprida'];
  const intents = [dice.uuid(), dice.uuid()];
  const isDismissed = dice.oneIn(2);
  const body: Thing = { email, password, role: 'SUPPORT' };
  const creating = { action: 'create-operator', method: 'POST', path: '/v1/admin/operators', body } as const;
  const { id } = given(await operators[0].ask({ ...creating, intent: `${intents[0]}`, again: 'by key' }));
  const nobody = operators[0].as(fixed());
  const accessToken = await logInAsOperator(nobody, { email, password });
  if (accessToken === null) throw new EndOfAct('the new operator can’t log in');
  const newcomer = holder(nobody, accessToken);
  const path = '/v1/admin/merchants?limit=1';
  await newcomer.read('list-merchants', path);
  const ending: Pick<ClientRequest, 'method' | 'path' | 'body'> = isDismissed
    ? { method: 'PATCH', path: `/v1/admin/operators/${id}`, body: { isActive: false } }
    : {
        ...{ method: 'POST', path: '/v1/admin/auth/password' },
        body: { currentPassword: password, newPassword: `${password}!` },
      };
  const who = isDismissed ? operators[0] : newcomer;
  const action = isDismissed ? 'dismiss-operator' : 'change-password';
  given(
    await who.ask({ action, ...ending, intent: `${intents[1]}`, again: isDismissed ? 'as it is' : 'never' }),
  );
  await useEnded(newcomer, path);
}

export const joining: readonly Act[] = [
  { name: 'join', weight: 2, play: join },
  { name: 'log out', weight: 1, play: logOut },
  { name: 'replace an operator', weight: 1, play: replaceOperator },
];
