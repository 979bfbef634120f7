import type { Dice } from '../dice.ts';

/** A callback, as far as somebody who makes one up cares. */
export interface Notice {
  path: string;
  body: string;
}

/** What a provider calls the thing that it tells of: of a Pix, a payout and a card charge. */
const names = new Set(['endToEndId', 'txid', 'idEnvio', 'id', 'code']);
const outcomes: Record<string, string> = {
  REALIZADO: 'NAO_REALIZADO',
  NAO_REALIZADO: 'REALIZADO',
  paid: 'failed',
  failed: 'paid',
};

/** A callback that nobody at the provider has sent: the true one, but for what a liar gains by. */
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

/** With each value replaced for which `lie` has another one. */
function rewritten({ path, body }: Notice, lie: (name: string, value: unknown) => unknown): Notice {
  const rewrite = (name: string, value: unknown) => lie(name, value) ?? value;
  return { path, body: JSON.stringify(JSON.parse(body, rewrite)) };
}

function withAnotherSecret({ path, body }: Notice): Notice {
  return { path: path.replace(/^(\/callbacks\/\w+\/)[^/]+/, '$1not-the-secret-of-this-address'), body };
}

/** Text with two decimals of a Pix, a number of cents of a card. */
function anotherAmount(value: unknown, dice: Dice): unknown {
  if (typeof value === 'string' && /^\d+\.\d\d$/.test(value)) return `${dice.int(1, 9_999)}.00`;
  return typeof value === 'number' ? dice.int(1, 999_900) : undefined;
}

/** One that nobody bears: of the same form, but for its last letters. */
function anotherName(value: unknown, dice: Dice): unknown {
  return typeof value === 'string' ? value.slice(0, -8) + dice.uuid().slice(0, 8) : undefined;
}

/** Of this payment, but under the txid of another charge; where there is none, what was told before is told again. */
function ofSomebodyElse(notice: Notice, earlier: readonly Notice[], dice: Dice): Notice {
  const alike = [notice, ...earlier].filter(({ path }) => path === notice.path);
  const other = dice.pick(alike);
  const txid = /"txid":"(\w+)"/.exec(other.body)?.[1];
  return txid ? rewritten(notice, (name) => (name === 'txid' ? txid : undefined)) : other;
}
