import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '@plataforma/kernel';
import type { Bank } from '@plataforma/testing';
import type { Dice } from '../../dice.ts';
import type { Answer, Client, Thing } from '../client.ts';
import type { Merchant } from '../merchants.ts';
import type { Shops } from '../shops.ts';

export interface ActContext {
  merchant: Merchant;
  /** A second merchant, whose data the first merchant must not see. */
  stranger: Merchant;
  environment: Environment;
  api: Client;
  operators: readonly [Client, Client];
  bank: Bank;
  shops: Shops;
  dice: Dice;
}

/** A scenario of a merchant, a buyer or an operator from beginning to end. */
export interface Act {
  name: string;
  /** How often the act is played, relative to other acts. */
  weight: number;
  play(context: ActContext): Promise<unknown>;
}

/** Ends an act early: the platform refused a request that the act needs, or did not answer. */
export class EndOfAct extends Error {}

/** Returns the data of an answer. Ends the act if the request did not succeed. */
export function given({ isDone, data, status, code }: Answer): Thing {
  if (!isDone) throw new EndOfAct(`${status} ${code}`);
  return data;
}

const TIMEOUT_MS = 15_000;
const PAUSE_MS = 400;

/** Calls `read` until it returns a result. Ends the act at the timeout. */
export async function until(read: () => Promise<Thing | undefined>): Promise<Thing> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const found = await read();
    if (found) return found;
    if (Date.now() > deadline) throw new EndOfAct('it did not happen');
    await sleep(PAUSE_MS);
  }
}

/** Sends a control request to the bank's simulator. Ends the act if the bank does not answer. */
export async function atBank(bank: Bank, path: string, body: object = {}): Promise<void> {
  await bank.control(path, body).catch((error) => {
    throw new EndOfAct(String(error));
  });
}

/** Calls a function `count` times in parallel, with the numbers from 1 to `count`. */
export function atOnce<T>(count: number, of: (number: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => of(index + 1)));
}
