import { type Answering, type Authenticator, newAuthenticator, ORIGIN } from './authenticator.ts';
import { type Factor, newOperator, PASSWORD } from './factors.ts';
import type { Answered } from './send.ts';
import { startWorld, type World } from './world.ts';

export const startPasskeyWorld = () => startWorld({ settings: { OPERATOR_ORIGINS: ORIGIN } });

export interface PasskeyOwner extends Factor {
  authenticator: Authenticator;
  passkeyId: string;
}

type Headers = Factor['headers'];
type Options = Record<string, unknown> | undefined;

/** Returns the calls that the page of an operator sends. */
export function passkeysOf(world: World) {
  const post = (path: string, body: object, headers: Headers) =>
    world.post(`/v1/admin/auth/${path}`, body, headers);
  const optionsIn = ({ json }: Answered): Options => json.data as Options;
  const logIn = ({ email }: Pick<Factor, 'email'>, more: object = {}) =>
    world.post('/v1/admin/auth/login', { email, password: PASSWORD, ...more });

  const calls = {
    logIn,
    /** Returns the challenge of a log-in with the right password. */
    async challenged(own: Pick<Factor, 'email'>): Promise<Options> {
      return (await logIn(own)).json.error?.passkey;
    },
    async logInBy({ authenticator, ...own }: PasskeyOwner, answering: Answering = {}): Promise<Answered> {
      return logIn(own, { passkey: authenticator.answer(await calls.challenged(own), answering) });
    },
    confirming: async ({ headers }: { headers: Headers }) =>
      optionsIn(await post('confirm/options', {}, headers)),
    confirm: (body: object, { headers }: { headers: Headers }) => post('confirm', body, headers),
    begun: async ({ headers }: { headers: Headers }) =>
      optionsIn(await post('passkeys/options', {}, headers)),
    add: (credential: object, { headers }: { headers: Headers }, name = 'chave') =>
      post('passkeys', { name, credential }, headers),
    async list({ headers }: { headers: Headers }): Promise<Record<string, unknown>[]> {
      const { json } = await world.call('/v1/admin/auth/passkeys', { headers });
      return json.data as Record<string, unknown>[];
    },
    remove: (id: string, { headers }: { headers: Headers }) =>
      world.call(`/v1/admin/auth/passkeys/${id}`, { method: 'DELETE', headers }),
    /** Creates an operator with a passkey. */
    async newOwner(answering: Answering = {}): Promise<PasskeyOwner> {
      const own = await newOperator(world, { isEnrolled: true });
      const authenticator = newAuthenticator();
      const { json } = await calls.add(authenticator.register(await calls.begun(own), answering), own);
      return { ...own, authenticator, passkeyId: String(Object(json.data).id) };
    },
  };
  return calls;
}
