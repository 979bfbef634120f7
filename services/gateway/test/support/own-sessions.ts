import { api } from '@plataforma/contracts';
import { repeatWhileUndone } from '@plataforma/testing/world';
import type { Merchant, World } from './world.ts';

export const NEW_PASSWORD = 'outra senha segura';

export type Own = Pick<Merchant, 'bearer' | 'refreshToken'> & { id: string };

export function ownSessionsIn(world: World) {
  /** Sends a request, and repeats it if a busy gateway refused it with 503 and did nothing. */
  const post = (path: string, body: unknown, headers = {}) =>
    repeatWhileUndone(
      () => world.post(path, body, headers),
      ({ status }) => status === 503,
    );
  const list = async ({ bearer }: Pick<Merchant, 'bearer'>) =>
    api.listSessions.data
      .array()
      .parse((await world.call('/v1/auth/sessions', { headers: bearer })).json.data);
  const end = ({ bearer }: Pick<Merchant, 'bearer'>, id = '') =>
    world.call(`/v1/auth/sessions${id && `/${id}`}`, { method: 'DELETE', headers: bearer });
  const change = (own: Pick<Merchant, 'bearer'>, currentPassword: string, newPassword = NEW_PASSWORD) =>
    post('/v1/auth/password', { currentPassword, newPassword }, own.bearer);
  const refresh = async ({ refreshToken }: Pick<Own, 'refreshToken'>) =>
    (await post('/v1/auth/refresh', { refreshToken })).code;

  async function logIn({ email, password }: Merchant, headers = {}): Promise<Own> {
    const { json } = await post('/v1/auth/login', { email, password }, headers);
    const { accessToken, refreshToken } = api.logIn.data.parse(json.data);
    const bearer = { authorization: `Bearer ${accessToken}` };
    const current = (await list({ bearer })).find(({ isCurrent }) => isCurrent);
    return { bearer, refreshToken, id: current?.id ?? '' };
  }

  return { post, list, end, change, refresh, logIn };
}
