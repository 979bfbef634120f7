import type { Dice } from '../dice.ts';

/** The path and the body of a callback. */
export interface Notice {
  path: string;
  body: string;
}

/** The fields that contain the id of a provider's object: a Pix payment, a payout or a card charge. */
const names = new Set(['endToEndId', 'txid', 'idEnvio', 'id', 'code']);
const outcomes: Record<string, string> = {
  REALIZADO: 'NAO_REALIZADO',
  NAO_REALIZADO: 'REALIZADO',
  paid: 'failed',
  failed: 'paid',
};

/** Returns a forged copy of a callback, with one change from which an attacker would profit. */
export function forgeryOf(notice: Notice, earlier: readonly Notice[], dice: Dice): Notice {
  const lies = [
    () => withAnotherSecret(notice),
    () => rewritten(notice, (_name, value) => anotherAmount(value, dice)),
    () => rewritten(notice, (_name, value) => (typeof value === 'string' ? outcomes[value] : undefined)),
    () => rewritten(notice, (name, value) => (names.has(name) ? anotherName(value, dice) : undefined)),
    () => ofSomebodyElse(notice, earlier, dice),
  ];
  return dice.pick(lies)();
}

/** Replaces each value in the body for which `lie` returns a new value. */
function rewritten({ path, body }: Notice, lie: (name: string, value: unknown) => unknown): Notice {
  const rewrite = (name: string, value: unknown) => lie(name, value) ?? value;
  return { path, body: JSON.stringify(JSON.parse(body, rewrite)) };
}

function withAnotherSecret({ path, body }: Notice): Notice {
  return { path: path.replace(/^(\/callbacks\/\w+\/)[^/]+/, '$1not-the-secret-of-this-address'), body };
}

/**
 * Returns a random amount: a text with two decimals for Pix, or a number of cents for a card. Returns
 * undefined for a value that is no amount.
 */
function anotherAmount(value: unknown, dice: Dice): unknown {
  if (typeof value === 'string' && /^\d+\.\d\d$/.test(value)) return `${dice.int(1, 9_999)}.00`;
  return typeof value === 'number' ? dice.int(1, 999_900) : undefined;
}

/**
 * Returns the id `value` with other, random last characters, so that no object has this id. Returns undefined
 * for a value that is no text.
 */
function anotherName(value: unknown, dice: Dice): unknown {
  return typeof value === 'string' ? value.slice(0, -8) + dice.uuid().slice(0, 8) : undefined;
}

/**
 * Returns the callback with the txid of another charge. If no txid is known, it returns an earlier callback
 * instead.
 */
function ofSomebodyElse(notice: Notice, earlier: readonly Notice[], dice: Dice): Notice {
  const alike = [notice, ...earlier].filter(({ path }) => path === notice.path);
  const other = dice.pick(alike);
  const txid = /"txid":"(\w+)"/.exec(other.body)?.[1];
  return txid ? rewritten(notice, (name) => (name === 'txid' ? txid : undefined)) : other;
}
