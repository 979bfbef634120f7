import { fixed } from '../credentials.ts';
import { type Act, given, type Stage } from './act.ts';

const DIGITS = { from: 20_000_000_000_000, to: 99_999_999_999_999 };

/** Whoever has no answer registers again; and logs in, when that is refused since the first time has gone well. */
async function enter({ merchant, dice }: Stage) {
  const nobody = merchant.dashboard.as(fixed());
  const login = { email: `${dice.uuid()}@loja.test`, password: 'uma senha comprida' };
  const cnpj = String(dice.int(DIGITS.from, DIGITS.to));
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
  return nobody.as(fixed({ authorization: `Bearer ${given(tokens).accessToken}` }));
}

/** A company comes; an operator lets it in or does not, sends it away, takes it back. */
async function join(stage: Stage): Promise<void> {
  const { operators, dice } = stage;
  const steps = dice.oneIn(3) ? ['reject', 'reactivate', 'approve'] : ['approve', 'suspend', 'reactivate'];
  const intents = steps.map(() => dice.uuid());
  const account = await enter(stage);
  const { id } = given(await account.read('read-account', '/v1/account'));
  for (const [index, step] of steps.entries()) {
    const path = `/v1/admin/merchants/${id}/${step}`;
    const body = step === 'approve' ? undefined : { reason: 'por causa dos documentos' };
    const request = { action: `${step}-merchant`, method: 'POST', path, ...(body && { body }) } as const;
    await operators[0].ask({ ...request, intent: intents[index] ?? '', again: 'as it is' });
  }
}

export const joining: readonly Act[] = [{ name: 'join', weight: 2, play: join }];
