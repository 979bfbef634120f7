import type { ServerResponse } from 'node:http';
import type { Dice } from '../dice.ts';

export const characters = [
  'prompt',
  'moody',
  'hanging',
  'dripping',
  'redirecting',
  'gigabyte',
  'distrusted',
  'without TLS',
  'gone',
] as const;
export type Character = (typeof characters)[number];

export type Manner = (response: ServerResponse) => void;

const DRIP_MS = 1_000;
const GIGABYTE = 2 ** 30;
const CHUNK = Buffer.alloc(64 * 1024, '0');

const says =
  (status: number, headers = {}): Manner =>
  (response) =>
    response.writeHead(status, headers).end();

export const promptly = says(200);
const never: Manner = () => undefined;
const breaksOff: Manner = (response) => response.socket?.resetAndDestroy();

/** Answers 200 with a body that never ends. */
const drips: Manner = (response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write('.'), DRIP_MS);
  response.on('close', () => clearInterval(timer));
};

const pours: Manner = (response) => {
  response.writeHead(200);
  let poured = 0;
  const pour = () => {
    while (poured < GIGABYTE && !response.destroyed) {
      poured += CHUNK.length;
      if (!response.write(CHUNK)) return;
    }
    response.end();
  };
  response.on('drain', pour);
  pour();
};

/** The path to which a server redirects. The platform must not follow the redirection. */
const FORBIDDEN_PATH = '/followed';

/**
 * Returns whether the platform must send no webhook to this path. Either the path is the target of a
 * redirection, or its server has an untrusted certificate.
 */
export const isOutOfBounds = (path: string) => path === FORBIDDEN_PATH || path.split('/')[2] === 'distrusted';

/**
 * Returns the behaviour of the server at one webhook address. A `moody` server fails for some requests,
 * answers the next requests well, and then fails again.
 */
export function mannerOf(character: Character, dice: Dice): Manner {
  const manners: Record<Character, () => Manner> = {
    prompt: () => promptly,
    moody: () => moody(dice),
    hanging: () => never,
    dripping: () => drips,
    redirecting: () => says(302, { location: FORBIDDEN_PATH }),
    gigabyte: () => pours,
    // The platform should never get this response: it must refuse the certificate, or its TLS handshake with
    // a plain http server fails.
    distrusted: () => promptly,
    'without TLS': () => promptly,
    gone: () => says(dice.pick([404, 410])),
  };
  return manners[character]();
}

function moody(dice: Dice): Manner {
  const troubles = [
    { weight: 4, value: says(500) },
    { weight: 2, value: says(503, { 'retry-after': '1' }) },
    { weight: 3, value: breaksOff },
    { weight: 1, value: never },
  ];
  let bad = dice.int(1, 3);
  let good = dice.int(2, 8);
  return (response) => {
    if (bad > 0) {
      bad -= 1;
      return dice.weighted(troubles)(response);
    }
    good -= 1;
    if (good === 0) [bad, good] = [dice.int(1, 3), dice.int(2, 8)];
    promptly(response);
  };
}
