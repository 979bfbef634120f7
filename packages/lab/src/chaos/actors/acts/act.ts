import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '@plataforma/kernel';
import type { Bank } from '@plataforma/testing';
import type { Dice } from '../../dice.ts';
import type { Answer, Client, Thing } from '../client.ts';
import type { Merchant } from '../merchants.ts';
import type { Shops } from '../shops.ts';

/** Who is there while an act is played. */
export interface ActContext {
  merchant: Merchant;
  /** Another merchant, of whom this one must see nothing. */
  stranger: Merchant;
  environment: Environment;
  /** The merchant's systems in that environment. */
  api: Client;
  operators: readonly [Client, Client];
  bank: Bank;
  shops: Shops;
  dice: Dice;
}

/** Something that people do with the platform, from its beginning to its end. */
export interface Act {
  name: string;
  /** How often it is played, beside the others. */
  weight: number;
  play(context: ActContext): Promise<unknown>;
}

/** The act can't go on: the platform refused what it needs, or gave no answer. */
export class EndOfAct extends Error {}

/** What was asked for; the act ends when it was not given. */
export function given({ isDone, data, status, code }: Answer): Thing {
  if (!isDone) throw new EndOfAct(`${status} ${code}`);
  return data;
}

const TIMEOUT_MS = 15_000;
const PAUSE_MS = 400;

/** Reads until there is what somebody waits for; the act ends when it does not come. */
export async function until(read: () => Promise<Thing | undefined>): Promise<Thing> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const found = await read();
    if (found) return found;
    if (Date.now() > deadline) throw new EndOfAct('it did not come about');
    await sleep(PAUSE_MS);
  }
}

/** Somebody outside goes to the bank. A bank that gives no answer ends the act. */
export async function atBank(bank: Bank, path: string, body: object = {}): Promise<void> {
  await bank.control(path, body).catch((error) => {
    throw new EndOfAct(String(error));
  });
}

/** So many at the same moment, each with its own number. */
export function atOnce<T>(count: number, of: (number: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => of(index + 1)));
}
