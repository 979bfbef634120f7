import type { Dice } from '../dice.ts';

/** A callback's path and body, for forging. */
export interface Notice {
  path: string;
  body: string;
}

/** The fields that identify a provider's object: a Pix, a payout or a card charge. */
const names = new Set(['endToEndId', 'txid', 'idEnvio', 'id', 'code']);
const outcomes: Record<string, string> = {
  REALIZADO: 'NAO_REALIZADO',
  NAO_REALIZADO: 'REALIZADO',
  paid: 'failed',
  failed: 'paid',
};

/** Returns a forged callback: the true one with a change that an attacker gains from. */
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

/** Replaces each value for which `lie` returns another one. */
function rewritten({ path, body }: Notice, lie: (name: string, value: unknown) => unknown): Notice {
  const rewrite = (name: string, value: unknown) => lie(name, value) ?? value;
  return { path, body: JSON.stringify(JSON.parse(body, rewrite)) };
}

function withAnotherSecret({ path, body }: Notice): Notice {
  return { path: path.replace(/^(\/callbacks\/\w+\/)[^/]+/, '$1not-the-secret-of-this-address'), body };
}

/** Returns another amount: text with two decimals for Pix, a number of cents for a card. */
function anotherAmount(value: unknown, dice: Dice): unknown {
  if (typeof value === 'string' && /^\d+\.\d\d$/.test(value)) return `${dice.int(1, 9_999)}.00`;
  return typeof value === 'number' ? dice.int(1, 999_900) : undefined;
}

/** Returns an unknown name in the same form: only its last letters differ. */
function anotherName(value: unknown, dice: Dice): unknown {
  return typeof value === 'string' ? value.slice(0, -8) + dice.uuid().slice(0, 8) : undefined;
}

/** Returns the payment under the txid of another charge. Without a txid it repeats an earlier callback. */
function ofSomebodyElse(notice: Notice, earlier: readonly Notice[], dice: Dice): Notice {
  const alike = [notice, ...earlier].filter(({ path }) => path === notice.path);
  const other = dice.pick(alike);
  const txid = /"txid":"(\w+)"/.exec(other.body)?.[1];
  return txid ? rewritten(notice, (name) => (name === 'txid' ? txid : undefined)) : other;
}
