import { liveUpdateEventTypes, webhookEventTypes } from '@plataforma/contracts';
import type { Dice } from '../../dice.ts';
import type { Client, Thing } from '../client.ts';
import type { Merchant } from '../merchants.ts';
import { type Character, characters } from '../shop-manners.ts';
import type { Shops } from '../shops.ts';
import { type Act, type ActContext, EndOfAct, given } from './act.ts';
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
 * Creates a webhook. Its URL contains `intent`, so the URL is unique. The merchant's server gets the
 * webhook's secret from the answer.
 */
export async function configure({ merchant, api, shops, character, intent, events = [] }: WebhookOptions) {
  const url = shops.urlFor({ character, merchant: merchant.name, purpose: intent });
  const body = { url, events };
  const request = { action: 'create-webhook', method: 'POST', path: PATH, body } as const;
  const configuration = given(await api.ask({ ...request, intent, again: 'by key' }));
  shops.learns(merchant.name, String(configuration.secret));
  return configuration;
}

function change({ api, dice }: ActContext, { id }: Thing, body: Thing) {
  const request = { action: 'change-webhook', method: 'PATCH', path: `${PATH}/${id}`, body } as const;
  return api.ask({ ...request, intent: dice.uuid(), again: 'as it is' });
}

function remove({ api, dice }: ActContext, { id }: Thing) {
  const request = { action: 'delete-webhook', method: 'DELETE', path: `${PATH}/${id}` } as const;
  return api.ask({ ...request, intent: dice.uuid(), again: 'as it is' });
}

/**
 * Returns a random webhook that acts may change. Other clients may change the same webhook at the same time.
 */
async function anyOf({ api, merchant, dice }: ActContext): Promise<Thing> {
  const share = dice.next();
  const { list } = await api.read('list-webhooks', PATH);
  const changeable = list.filter(({ id }) => !merchant.untouched.has(String(id)));
  const found = changeable[Math.floor(share * changeable.length)];
  if (!found) throw new EndOfAct('no webhook is configured that may be changed');
  return found;
}

/** Half of all webhook addresses belong to healthy servers. */
const someCharacter = (dice: Dice) => (dice.oneIn(2) ? 'prompt' : dice.pick(characters));
/** Live updates are left out, because the platform may lose them. */
const someEvents = (dice: Dice) =>
  webhookEventTypes.filter((type) => !liveUpdates.has(type) && dice.oneIn(2));
const liveUpdates: ReadonlySet<string> = new Set(liveUpdateEventTypes);

async function comeAndGo(context: ActContext): Promise<void> {
  const { dice } = context;
  const character = someCharacter(dice);
  const intent = dice.uuid();
  const configuration = await configure({ ...context, character, intent, events: someEvents(dice) });
  await test(context, configuration);
  await remove(context, configuration);
}

async function move(context: ActContext): Promise<void> {
  const character = someCharacter(context.dice);
  const url = context.shops.urlFor({
    character,
    merchant: context.merchant.name,
    purpose: context.dice.uuid(),
  });
  await change(context, await anyOf(context), { url });
}

async function filter(context: ActContext): Promise<void> {
  await change(context, await anyOf(context), { events: someEvents(context.dice) });
}

/** Turns a webhook off and on again. Events in between are never delivered to it. */
async function pause(context: ActContext): Promise<void> {
  const configuration = await anyOf(context);
  await change(context, configuration, { isActive: false });
  await change(context, configuration, { isActive: true });
}

/**
 * Switches a webhook to the longer retry schedule. A late retry would come after the end of the run and count
 * as a lost delivery. The act therefore uses production, which has few deliveries.
 */
async function extendRetries(anywhere: ActContext): Promise<void> {
  const context = inEnvironment(anywhere, 'production');
  const configuration = await anyOf(context);
  await change(context, configuration, { retrySchedule: 'extended' });
  await test(context, configuration);
}

async function signOtherwise(context: ActContext): Promise<void> {
  await change(context, await anyOf(context), { signatureVersion: context.dice.pick(['v1', 'standard']) });
}

async function rotate(context: ActContext): Promise<void> {
  const { api, dice, merchant, shops } = context;
  const intent = dice.uuid();
  const secret = dice.oneIn(2)
    ? `whsec_${Buffer.from(`um segredo ${dice.uuid()}`).toString('base64')}`
    : null;
  if (secret !== null) shops.learns(merchant.name, secret);
  const path = `${PATH}/${(await anyOf(context)).id}/rotate-secret`;
  const body = { ...(secret !== null && { secret }) };
  const request = { action: 'rotate-secret', method: 'POST', path, body } as const;
  shops.learns(merchant.name, String(given(await api.ask({ ...request, intent, again: 'by key' })).secret));
}

function test({ api, dice }: ActContext, { id }: Thing) {
  const request = { action: 'test-webhook', method: 'POST', path: `${PATH}/${id}/test` } as const;
  return api.ask({ ...request, intent: dice.uuid(), again: 'by key' });
}

async function testAny(context: ActContext): Promise<void> {
  await test(context, await anyOf(context));
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
