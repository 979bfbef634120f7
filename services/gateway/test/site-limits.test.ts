import { describe, expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { startLogInWorld } from './support/log-ins.ts';

const PER_ADDRESS = 12;

const world = worldOfFile(() => startLogInWorld({ perAccount: 3, perAddress: PER_ADDRESS }));

describe('the networks of an IPv6 /48', () => {
  test.each([
    ['registrations', '/v1/auth/register', {}, 'VALIDATION_ERROR', '2001:db8:a'],
    [
      'refresh tokens',
      '/v1/auth/refresh',
      { refreshToken: 'invented' },
      'INVALID_REFRESH_TOKEN',
      '2001:db8:b',
    ],
  ])('together have a limit of %s', async (_name, path, body, refused, site) => {
    const most = 27 * PER_ADDRESS;
    let networks = 0;
    const next = () => {
      networks += 1;
      return world.post(path, body, `${site}:${networks.toString(16)}::1`);
    };

    const codes = new Set<string>();
    for (let tried = 0; tried < most; tried += 1) codes.add((await next()).code);

    expect(codes).toEqual(new Set([refused]));
    expect((await next()).code).toBe('RATE_LIMITED');
    expect((await world.post(path, body, '2001:db8:c:1::1')).code).toBe(refused);
  });
});
