import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { type Bank, eventually } from '../../src/index.ts';
import { anOrder, type Client } from './client.ts';
import { tamper } from './tamper.ts';
import type { Cast } from './world.ts';

const MILLION = 1_000_000;

/**
 * Tests an attacker who changes the ledger's tables. The test reverts each change, so that the ledger is
 * correct at the end.
 */
export function testProvenPayouts(cast: () => Cast): void {
  let world: Cast;
  let bank: Bank;
  let merchant: Client;
  let operator: Client;

  beforeAll(() => {
    world = cast();
    ({ merchant, operator, bank } = world);
  });

  /** Adds cents to the wallet of the merchant to which the charge belongs, as an attacker would. */
  const give = (amount: number, chargeId: unknown) =>
    tamper(
      world.platform.databaseUrls.ledger,
      `UPDATE wallets SET available_pix_cents = available_pix_cents + $1
       WHERE (merchant_id, environment) IN (SELECT merchant_id, environment FROM journal_entries
         WHERE kind = 'charge_paid' AND charge_id = $2)`,
      [amount, chargeId],
    );

  test('waits for review until the changed wallet is corrected', async () => {
    const { data: charge } = await merchant.post('/v1/charges', anOrder({ amount: 9_000 }));
    await bank.control(`/pix/${charge.txid}/pay`);
    await eventually(async () =>
      expect((await merchant.get(`/v1/charges/${charge.id}`)).data.status).toBe('PAID'),
    );
    await eventually(() => give(MILLION, charge.id));

    const order = { amount: 5_000, pixKey: randomUUID(), pixKeyType: 'EVP' };
    const { data: withdrawal } = await merchant.post('/v1/withdrawals', order);
    const now = async () => (await merchant.get(`/v1/withdrawals/${withdrawal.id}`)).data;

    await eventually(async () =>
      expect(await now()).toMatchObject({ status: 'APPROVED', waitingFor: { what: 'review' } }),
    );
    const { list } = await operator.get('/v1/admin/alarms?settled=false');
    expect(list).toContainEqual(
      expect.objectContaining({ subjectId: withdrawal.id, kind: 'WALLET_CHANGED', amount: MILLION }),
    );
    await give(-MILLION, charge.id);
    const again = 'UPDATE withdrawals SET next_check_at = now() WHERE id = $1';
    await tamper(world.platform.databaseUrls.withdrawals, again, [withdrawal.id]);

    await eventually(async () =>
      expect(await now()).toMatchObject({ status: 'COMPLETED', waitingFor: null }),
    );
  });
}
