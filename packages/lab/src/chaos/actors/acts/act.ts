import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '@plataforma/kernel';
import type { Bank } from '@plataforma/testing';
import type { Dice } from '../../dice.ts';
import type { Answer, Client, Thing } from '../client.ts';
import type { Merchant } from '../merchants.ts';
import type { Shops } from '../shops.ts';

export interface ActContext {
  merchant: Merchant;
  /** Another merchant, whose data this merchant must not see. */
  stranger: Merchant;
  environment: Environment;
  api: Client;
  operators: readonly [Client, Client];
  bank: Bank;
  shops: Shops;
  dice: Dice;
}

/** A complete scenario of a merchant, a buyer or an operator. */
export interface Act {
  name: string;
  /** The relative frequency of the act. */
  weight: number;
  play(context: ActContext): Promise<unknown>;
}

/** The act can't continue, because the platform refused a required request or did not answer. */
export class EndOfAct extends Error {}

/** Returns the data of an answer. Ends the act if the request did not succeed. */
export function given({ isDone, data, status, code }: Answer): Thing {
  if (!isDone) throw new EndOfAct(`${status} ${code}`);
  return data;
}

const TIMEOUT_MS = 15_000;
const PAUSE_MS = 400;

/** Reads until a result appears. Ends the act at the timeout. */
export async function until(read: () => Promise<Thing | undefined>): Promise<Thing> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const found = await read();
    if (found) return found;
    if (Date.now() > deadline) throw new EndOfAct('it did not come about');
    await sleep(PAUSE_MS);
  }
}

/** Sends a request to the bank. Ends the act if the bank does not answer. */
export async function atBank(bank: Bank, path: string, body: object = {}): Promise<void> {
  await bank.control(path, body).catch((error) => {
    throw new EndOfAct(String(error));
  });
}

/** Runs `count` works in parallel, each with its number. */
export function atOnce<T>(count: number, of: (number: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => of(index + 1)));
}
