import type { ServerResponse } from 'node:http';
import type { Dice } from '../dice.ts';

/** How a merchant's server takes webhooks. */
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

/** A success whose end never comes. */
const drips: Manner = (response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write('.'), DRIP_MS);
  response.on('close', () => clearInterval(timer));
};

/** A success, and more of it than anybody wants to read. */
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

/** Where a redirection leads, which nobody may follow. */
const FORBIDDEN_PATH = '/followed';

/** Whether nothing may come to a path: that of a redirection, or one at a server that can't prove who it is. */
export const isOutOfBounds = (path: string) => path === FORBIDDEN_PATH || path.split('/')[2] === 'distrusted';

/** A manner of its own for each address: the moody one has a spell of trouble, then works for a while. */
export function mannerOf(character: Character, dice: Dice): Manner {
  const manners: Record<Character, () => Manner> = {
    prompt: () => promptly,
    moody: () => moody(dice),
    hanging: () => never,
    dripping: () => drips,
    redirecting: () => says(302, { location: FORBIDDEN_PATH }),
    gigabyte: () => pours,
    // Who asks for TLS, and looks at certificates, never comes so far as to be answered by these.
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
