import { hintEventTypes, webhookEventTypes } from '@plataforma/contracts';
import type { Dice } from '../../dice.ts';
import type { Client, Thing } from '../client.ts';
import type { Merchant } from '../merchants.ts';
import { type Character, characters } from '../shop-manners.ts';
import type { Shops } from '../shops.ts';
import { type Act, EndOfAct, given, type Stage } from './act.ts';
import { inEnvironment } from './money-out.ts';

interface WebhookOptions {
  merchant: Merchant;
  api: Client;
  shops: Shops;
  character: Character;
  intent: string;
  events?: readonly string[];
}

const PATH = '/v1/webhook-config';

/**
 * Its address is named after the intent. The secret is learned from the answer, and the merchant's server knows it from
 * then on.
 */
export async function configure({ merchant, api, shops, character, intent, events = [] }: WebhookOptions) {
  const url = shops.urlFor({ character, merchant: merchant.name, purpose: intent });
  const body = { url, events };
  const request = { action: 'create-webhook', method: 'POST', path: PATH, body } as const;
  const configuration = given(await api.ask({ ...request, intent, again: 'by key' }));
  shops.learns(merchant.name, String(configuration.secret));
  return configuration;
}

function change({ api, dice }: Stage, { id }: Thing, body: Thing) {
  const request = { action: 'change-webhook', method: 'PATCH', path: `${PATH}/${id}`, body } as const;
  return api.ask({ ...request, intent: dice.uuid(), again: 'as it is' });
}

function remove({ api, dice }: Stage, { id }: Thing) {
  const request = { action: 'delete-webhook', method: 'DELETE', path: `${PATH}/${id}` } as const;
  return api.ask({ ...request, intent: dice.uuid(), again: 'as it is' });
}

/** One that there is in this environment and that may be changed, as others may be doing, too. */
async function anyOf({ api, merchant, dice }: Stage): Promise<Thing> {
  const share = dice.next();
  const { list } = await api.read('list-webhooks', PATH);
  const changeable = list.filter(({ id }) => !merchant.untouched.has(String(id)));
  const found = changeable[Math.floor(share * changeable.length)];
  if (!found) throw new EndOfAct('no webhook is configured that may be changed');
  return found;
}

/** Half of all are well, however often they move. */
const someCharacter = (dice: Dice) => (dice.oneIn(2) ? 'prompt' : dice.pick(characters));
/** No hints: whether one comes says nothing. */
const someEvents = (dice: Dice) => webhookEventTypes.filter((type) => !hints.has(type) && dice.oneIn(2));
const hints: ReadonlySet<string> = new Set(hintEventTypes);

async function comeAndGo(stage: Stage): Promise<void> {
  const { dice } = stage;
  const character = someCharacter(dice);
  const intent = dice.uuid();
  const configuration = await configure({ ...stage, character, intent, events: someEvents(dice) });
  await test(stage, configuration);
  await remove(stage, configuration);
}

async function move(stage: Stage): Promise<void> {
  const character = someCharacter(stage.dice);
  const url = stage.shops.urlFor({ character, merchant: stage.merchant.name, purpose: stage.dice.uuid() });
  await change(stage, await anyOf(stage), { url });
}

async function filter(stage: Stage): Promise<void> {
  await change(stage, await anyOf(stage), { events: someEvents(stage.dice) });
}

/** It is off for a moment; what happens meanwhile is not told later. */
async function pause(stage: Stage): Promise<void> {
  const configuration = await anyOf(stage);
  await change(stage, configuration, { isActive: false });
  await change(stage, configuration, { isActive: true });
}

/**
 * What a shop takes badly is told to it for most of a day. Only in production, where there is little, and never taken back:
 * in the end nobody could tell what waits for its hour from what is stuck.
 */
async function extendRetries(anywhere: Stage): Promise<void> {
  const stage = inEnvironment(anywhere, 'production');
  const configuration = await anyOf(stage);
  await change(stage, configuration, { retrySchedule: 'extended' });
  await test(stage, configuration);
}

async function signOtherwise(stage: Stage): Promise<void> {
  await change(stage, await anyOf(stage), { signatureVersion: stage.dice.pick(['v1', 'standard']) });
}

async function rotate(stage: Stage): Promise<void> {
  const { api, dice, merchant, shops } = stage;
  const intent = dice.uuid();
  const secret = dice.oneIn(2)
    ? `whsec_${Buffer.from(`um segredo ${dice.uuid()}`).toString('base64')}`
    : null;
  if (secret !== null) shops.learns(merchant.name, secret);
  const path = `${PATH}/${(await anyOf(stage)).id}/rotate-secret`;
  const body = { ...(secret !== null && { secret }) };
  const request = { action: 'rotate-secret', method: 'POST', path, body } as const;
  shops.learns(merchant.name, String(given(await api.ask({ ...request, intent, again: 'by key' })).secret));
}

function test({ api, dice }: Stage, { id }: Thing) {
  const request = { action: 'test-webhook', method: 'POST', path: `${PATH}/${id}/test` } as const;
  return api.ask({ ...request, intent: dice.uuid(), again: 'by key' });
}

async function testAny(stage: Stage): Promise<void> {
  await test(stage, await anyOf(stage));
}

export const webhooks: readonly Act[] = [
  { name: 'configure a webhook for a while', weight: 2, play: comeAndGo },
  { name: 'move a webhook', weight: 2, play: move },
  { name: 'filter a webhook', weight: 1, play: filter },
  { name: 'pause a webhook', weight: 1, play: pause },
  { name: 'extend retries', weight: 1, play: extendRetries },
  { name: 'sign otherwise', weight: 1, play: signOtherwise },
  { name: 'rotate a secret', weight: 2, play: rotate },
  { name: 'test a webhook', weight: 1, play: testAny },
];
