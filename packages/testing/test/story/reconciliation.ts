import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { type Bank, eventually } from '../../src/index.ts';
import { CARD, tokenOf } from './bank.ts';
import { differencesToday, expectAgreement } from './books.ts';
import { anOrder, type Client } from './client.ts';
import { tamper } from './tamper.ts';
import type { Cast } from './world.ts';

const INVENTED = randomUUID();
const INVENT_PAYMENT = `
  WITH entry AS (
    INSERT INTO journal_entries (id, kind, reference, charge_id, merchant_id, environment, occurred_at)
    VALUES ($1, 'charge_paid', $2, $2, $1, 'sandbox', now()) RETURNING id)
  INSERT INTO journal_lines (entry_id, account, amount_cents)
  SELECT id, account, amount FROM entry, (VALUES ('clearing:PIX', -700), ('fees', 700)) AS line (account,
  amount)`;

/**
 * Tests the reconciliation with the provider. Each test continues with the state of the previous test, and
 * after the last test the ledger and the provider differ.
 */
export function testReconciliation(cast: () => Cast): void {
  let world: Cast;
  let bank: Bank;
  let merchant: Client;
  let operator: Client;

  beforeAll(() => {
    world = cast();
    ({ merchant, operator, bank } = world);
  });

  async function aPaidPix(amount: number) {
    const { data } = await merchant.post('/v1/charges', anOrder({ amount }));
    await merchant.post(`/v1/charges/${data.id}/simulate-payment`);
    return (await merchant.get(`/v1/charges/${data.id}`)).data;
  }

  async function aPaidCard(amount: number) {
    const cardToken = await tokenOf(merchant, CARD.approved);
    return (await merchant.post('/v1/charges', anOrder({ amount, paymentMethod: 'CARD', cardToken }))).data;
  }

  const paid: Record<string, Record<string, unknown>> = {};

  test('finds no difference when all three reports agree', async () => {
    paid.atBank = await aPaidPix(1_100);
    paid.inBooks = await aPaidPix(1_200);
    paid.twice = await aPaidPix(1_300);
    paid.card = await aPaidCard(1_400);
    paid.refunded = await aPaidCard(1_500);
    await merchant.post(`/v1/charges/${paid.refunded.id}/refund`, { amount: 1_000 });
    await bank.control(`/pix/${paid.twice.txid}/pay`);
    const lost = await aPaidPix(1_600);
    const dispute = await merchant.post(`/v1/sandbox/charges/${lost.id}/dispute`);
    const end = await merchant.post(`/v1/sandbox/disputes/${dispute.data.id}/resolve`, {
      outcome: 'CUSTOMER',
    });
    expect([dispute.status, end.status]).toEqual([200, 200]);
    await expectAgreement(world.platform, bank, operator);

    await eventually(async () => expect(await differencesToday(operator)).toEqual([]));
  });

  test('lists the three amounts of each payment that differs', async () => {
    const { atBank, inBooks, card, refunded } = paid;
    const { databaseUrls } = world.platform;
    await tamper(
      databaseUrls['sandbox-psp'],
      'UPDATE payments SET amount_cents = 1101 WHERE end_to_end_id = $1',
      [atBank?.endToEndId],
    );
    await tamper(databaseUrls.ledger, 'DELETE FROM journal_entries WHERE reference = $1', [inBooks?.id]);
    await tamper(databaseUrls.ledger, INVENT_PAYMENT, [randomUUID(), INVENTED]);
    await bank.control(`/cards/${card?.id}/chargeback`);
    await tamper(
      databaseUrls['sandbox-psp'],
      'UPDATE card_charges SET canceled_cents = 999 WHERE code = $1',
      [refunded?.id],
    );

    const found = await eventually(async () => {
      const differences = await differencesToday(operator);
      expect(differences).toHaveLength(4);
      return differences;
    });

    const row = (about: object) => expect.objectContaining(about);
    expect(found).toEqual(
      expect.arrayContaining([
        row({ what: 'RECEIVED', chargeId: atBank?.id, provider: 1_101, charges: 1_100, ledger: 1_100 }),
        row({ what: 'RECEIVED', chargeId: inBooks?.id, provider: 1_200, charges: 1_200, ledger: null }),
        row({ what: 'RECEIVED', chargeId: INVENTED, provider: null, charges: null, ledger: 700 }),
        row({ what: 'RETURNED', chargeId: refunded?.id, provider: 999, charges: 1_000, ledger: 1_000 }),
      ]),
    );
  });

  test('answers operators only, for days that have begun', async () => {
    const path = '/v1/admin/charges/reconciliation';
    const today = new Date().toISOString().slice(0, 10);

    const answers = await Promise.all([
      merchant.get(`${path}?date=${today}`),
      operator.get(path),
      operator.get(`${path}?date=2026-02-30`),
      operator.get(`${path}?date=2999-01-01`),
      operator.get(`${path}?date=${today}&environment=test`),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([401, 400, 400, 400, 400]);
  });
}
