import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Client, ClientRequest, Thing } from '../client.ts';
import { fixed } from '../credentials.ts';
import { type Act, type ActContext, atBank, atOnce, EndOfAct, given, until } from './act.ts';
import { cards, tokenOf } from './selling.ts';

/** The name of the situation that `--races` counts. */
export const RACE = 'race at a payment link';

const SECOND_MS = 1_000;
/**
 * The lifetime of the Pix code in seconds: the minimum that the API accepts. In a chaos run the charges
 * service divides all such lifetimes by 30, so the code is valid for two seconds.
 */
const SHORTEST_SECONDS = 60;
const USES = 3;
const BUYERS = 6;

async function newLink({ api, dice }: ActContext, fields: Thing): Promise<Thing> {
  const body = { description: 'Aula', amount: dice.int(500, 20_000), ...fields };
  const request = { action: 'create-link', method: 'POST', path: '/v1/payment-links', body } as const;
  return given(await api.ask({ ...request, intent: dice.uuid(), again: 'by key' }));
}

/** Returns a random CPF with valid check digits, because production requires them. */
function aDocument(dice: ActContext['dice']): string {
  const digits = Array.from({ length: 9 }, () => dice.int(0, 9));
  for (const weight of [10, 11]) {
    const sum = digits.reduce((total, digit, index) => total + digit * (weight - index), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join('');
}

function buyerOf({ api, dice }: ActContext): Client {
  const address = ['10', ...Array.from({ length: 3 }, () => dice.int(0, 255))].join('.');
  return api.as(fixed({ 'x-forwarded-for': address }));
}

interface Visit {
  id: string;
  now(): Promise<Thing>;
  /** Chooses the way to pay. A second equal choice changes nothing, so a retry is safe. */
  choose(way: 'pix' | 'card-form'): ReturnType<Client['ask']>;
  payByCard(number: string): ReturnType<Client['ask']>;
}

const shownCharge = z.object({ id: z.string(), paymentMethod: z.string() });
const shownCard = z.object({ tokenizeUrl: z.string(), publicKey: z.string() });

async function visit(context: ActContext, { slug }: Thing): Promise<Visit> {
  const { dice } = context;
  const buyer = buyerOf(context);
  const ask = (buyerRequest: Pick<ClientRequest, 'action' | 'path' | 'body'>) =>
    buyer.ask({ ...buyerRequest, method: 'POST', intent: dice.uuid(), again: 'as it is' });
  const body = { id: dice.uuid(), payerName: 'Maria da Silva', payerDocument: aDocument(dice) };
  const begun = given(await ask({ action: 'visit-link', path: `/v1/payment-links/${slug}/checkouts`, body }));
  const path = `/v1/checkouts/${begun.id}`;
  return {
    id: String(begun.id),
    now: async () => (await buyer.read('read-visit', path)).data,
    choose: (way) => ask({ action: `visit-${way}`, path: `${path}/${way}` }),
    async payByCard(number) {
      const cardToken = await tokenOf(shownCard.parse(begun.card), number);
      return ask({ action: 'visit-card', path: `${path}/card`, body: { cardToken, installments: 1 } });
    },
  };
}

/**
 * Pays the Pix code of a visit to a payment link. The bank does not know when the visit's code expires, so it
 * accepts late payments too.
 */
async function payCode({ bank }: ActContext, { charge }: Thing, notify = true): Promise<void> {
  const { data } = shownCharge.safeParse(charge);
  if (data?.paymentMethod !== 'PIX') return;
  await atBank(bank, `/pix/${data.id.replaceAll('-', '')}/pay`, { notify });
}

/** Ignores the early end of one step, so that the parallel steps of the same act continue. */
async function unlessOver(step: Promise<unknown>): Promise<void> {
  await step.catch((error) => {
    if (!(error instanceof EndOfAct)) throw error;
  });
}

/**
 * Pays one visit in several ways at random moments: a Pix code that may expire, a card, and a second card. If
 * the visit is still unpaid afterwards and shows a Pix code, the buyer pays this code.
 */
async function race(context: ActContext): Promise<void> {
  const { dice } = context;
  const pixExpiresIn = dice.oneIn(3) ? SHORTEST_SECONDS : 3_600;
  const link = await newLink(context, { uses: dice.int(1, 2), pixExpiresIn });
  const one = await visit(context, link);
  const shown = given(await one.choose('pix'));
  const number = dice.pick([cards.approved, cards.approved, cards.declined, cards.approvedTooLate]);
  const [paid, card, code, other] = [0, 1, 2, 3].map(() => dice.int(0, 2 * SECOND_MS));
  const [isNotified, hasForm] = [!dice.oneIn(4), dice.oneIn(2)];
  await Promise.all([
    sleep(paid).then(() => unlessOver(payCode(context, shown, isNotified))),
    sleep(card).then(async () => {
      if (hasForm) await one.choose('card-form');
      await unlessOver(one.payByCard(number));
    }),
    sleep(code).then(() => one.choose('pix')),
    sleep(other).then(() => unlessOver(one.payByCard(cards.approved))),
  ]);
  const decided = await until(async () => {
    const now = await one.now();
    return now.id !== undefined && now.state !== 'PROCESSING' ? now : undefined;
  });
  if (decided.state === 'PIX') await payCode(context, decided);
}

/** Begins more visits in parallel than the link has uses. Half of the buyers pay by Pix, and half by card. */
async function crowd(context: ActContext): Promise<void> {
  const link = await newLink(context, { uses: USES });
  const visits = await atOnce(BUYERS, () => visit(context, link));
  await Promise.all(
    visits.map(async (one, index) => {
      if (index % 2) return unlessOver(one.payByCard(cards.approved));
      const { isDone, data } = await one.choose('pix');
      return isDone ? unlessOver(payCode(context, data)) : undefined;
    }),
  );
}

export const links: readonly Act[] = [
  { name: RACE, weight: 4, play: race },
  { name: 'more buyers than a payment link has uses', weight: 1, play: crowd },
];
