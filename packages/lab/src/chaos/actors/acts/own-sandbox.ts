import type { Answer } from '../client.ts';
import { type Act, type ActContext, atOnce, given } from './act.ts';
import { inEnvironment, toKey, withdraw } from './money-out.ts';

/**
 * How far the clock moves. Most moves are shorter than the lifetime of a charge, so that payments and
 * expiries happen at the same time.
 */
const ADVANCES = ['PT10M', 'PT3H', 'P1D', 'P3D'];

/**
 * The merchants that move their sandbox clocks. The clocks of the other merchants never move, so that a run
 * tests both cases.
 */
const MOVERS = ['merchant 3', 'merchant 4'];

function moveClock({ api }: ActContext, advance: string, intent: string): Promise<Answer> {
  const request = { action: 'move-clock', method: 'POST', path: '/v1/sandbox/clock' } as const;
  return api.ask({ ...request, body: { advance }, intent, again: 'by key' });
}

/**
 * Moves the clock twice with the same request in parallel, then moves it again. The platform allows two
 * pending moves for each merchant.
 */
async function moveClocks(anywhere: ActContext): Promise<void> {
  const context = inEnvironment(anywhere, 'sandbox');
  const { merchant, dice } = context;
  const [first, second] = [dice.pick(ADVANCES), dice.pick(ADVANCES)];
  const [intent, another] = [dice.uuid(), dice.uuid()];
  if (!MOVERS.includes(merchant.name)) return;
  await atOnce(2, () => moveClock(context, first, intent));
  await moveClock(context, second, another);
}

const endings = { complete: { providerTxId: 'PIX-1' }, fail: { reason: 'conta inexistente' } } as const;

/**
 * The bank delays a payout. The merchant then makes the payout succeed or fail, or requests both in parallel.
 */
async function endHeld(anywhere: ActContext): Promise<void> {
  const context = inEnvironment(anywhere, 'sandbox');
  const { api, dice } = context;
  const ends = dice.pick([['complete'], ['fail'], ['complete', 'fail'], ['fail', 'fail']] as const);
  const intents = ends.map(() => dice.uuid());
  const { id } = given(await withdraw(context, toKey(context, 'hold@sandbox.test')));
  await atOnce(ends.length, (number) => {
    const end = ends[number - 1] ?? 'fail';
    const path = `/v1/sandbox/withdrawals/${id}/${end}`;
    const request = { action: `${end}-in-sandbox`, method: 'POST', path, body: endings[end] } as const;
    return api.ask({ ...request, intent: `${intents[number - 1]}`, again: 'as it is' });
  });
}

/** Acts with requests that exist in the sandbox only. */
export const ownSandbox: readonly Act[] = [
  { name: 'move the clock of the sandbox', weight: 2, play: moveClocks },
  { name: 'end a held payout', weight: 2, play: endHeld },
];
