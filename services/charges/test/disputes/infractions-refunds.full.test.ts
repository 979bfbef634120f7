import { describe, expect, test } from '@jest/globals';
import { eventually, WAIT_TIMEOUT_MS } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { disputesIn, infractionsRead, oneDisputeOf } from '../support/infractions.ts';
import { startRefundWorld } from '../support/refund-world.ts';

const DAY_MS = 86_400_000;

describe('a payment contested during its refund', () => {
  // Only one replica reads the provider's list, at long intervals. Otherwise a reading that began before the
  // test moved the cursor back would advance the cursor again.
  const world = worldOfFile(() => startRefundWorld({ tuning: { readListsEveryMs: 1_500 } }));

  const BEGUN = `
    SELECT next_at FROM provider_cursors WHERE list = 'infractions' AND environment = 'sandbox'`;
  const GO_BACK = `UPDATE provider_cursors SET read_until = now() - interval '10 hours'
    WHERE list = 'infractions'`;
  const WAITS = `
    SELECT read_until < now() - interval '9 hours' AS waits FROM provider_cursors
    WHERE list = 'infractions' AND environment = 'sandbox'`;

  /**
   * Reports an infraction that is thirty hours old, during the refund of its payment. Then moves the cursor
   * of the list back. The cursor stays there, because the infraction must wait for the refund.
   */
  async function contestedLongAgo(amount: number) {
    const charge = await world.paidCharge({ amount: 2500 });
    world.provider.book.returns.willBe(charge.pix, 'EM_PROCESSAMENTO');
    await eventually(async () => expect((await charge.now()).status).toBe('PAID'));
    await charge.refund({ amount });
    await charge.becomes('ACCEPTED');
    const criacao = new Date(Date.now() - 1.25 * DAY_MS).toISOString();
    world.provider.book.infractions.report(charge.pix, 2500, { criacao });
    await eventually(
      async () => {
        // Wait for two readings, because a reading that has already begun may advance the cursor once more.
        await world.database.query(GO_BACK);
        await readingBegins();
        await readingBegins();
        expect(await world.database.query(WAITS)).toEqual([{ waits: true }]);
      },
      { timeoutMs: 2 * WAIT_TIMEOUT_MS },
    );
    return charge;
  }

  /** Waits until the current reading of the list has ended and the next one begins. */
  async function readingBegins(): Promise<void> {
    const before = await world.database.query(BEGUN);
    await eventually(async () => expect(await world.database.query(BEGUN)).not.toEqual(before));
  }

  test('is disputed in the remaining amount after the refund', async () => {
    const charge = await contestedLongAgo(2000);
    const meanwhile = await disputesIn(world, charge);

    world.provider.book.returns.end(charge.pix, 'DEVOLVIDO');

    expect(meanwhile).toEqual([]);
    expect(await oneDisputeOf(world, charge)).toMatchObject({ amount: 500, status: 'OPEN' });
  });

  test('is disputed in full after a failed refund', async () => {
    const charge = await contestedLongAgo(2500);

    world.provider.book.returns.end(charge.pix, 'NAO_REALIZADO');

    expect(await oneDisputeOf(world, charge)).toMatchObject({ amount: 2500, status: 'OPEN' });
    expect((await charge.now()).status).toBe('DISPUTED');
  });

  test('is not disputed after a full refund', async () => {
    const charge = await contestedLongAgo(2500);

    world.provider.book.returns.end(charge.pix, 'DEVOLVIDO');
    await charge.becomes('DONE');
    await infractionsRead(world);

    expect(await disputesIn(world, charge)).toEqual([]);
    expect(await charge.now()).toMatchObject({ status: 'REFUNDED', refundedAmount: 2500 });
  });
});
