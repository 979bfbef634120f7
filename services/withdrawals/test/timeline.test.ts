import { describe, expect, test } from '@jest/globals';
import { timelinePart } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import type { z } from 'zod';
import { pending, pendingTed } from './operators/support/states.ts';
import { follow } from './payout/support/payouts.ts';
import { operatorHeader, serviceHeader } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);

const ask = (id: string, headers = serviceHeader()) =>
  world.client.send(`/internal/timeline?ids=${id}`, { method: 'GET', headers });

type Part = z.infer<typeof timelinePart>;

async function partOf(id: string): Promise<Part> {
  return timelinePart.parse((await ask(id)).data);
}

const linesIn = ({ entries }: Part) => entries.map(({ what }) => what);

test('the route for the gateway returns nothing for an unknown id', async () => {
  expect((await ask(newId())).data).toMatchObject({ subject: null, entries: [], isCut: false });
});

describe('the timeline of a withdrawal', () => {
  test('shows approvals, payout and end, but never the key', async () => {
    const pixKey = 'fulano@banco.test';
    const withdrawal = await pending(world, { pixKey, pixKeyType: 'EMAIL' });
    const operatorId = newId();
    await world.client.approve(withdrawal.id, operatorId);
    await withdrawal.becomes('COMPLETED');

    const part = await partOf(withdrawal.id);

    // Ignore this line, because it exists only if the provider's answer arrives after the scheduler's first
    // check.
    const lines = linesIn(part).filter((what) => what !== 'the provider confirmed that it has the order');
    expect(lines).toEqual([
      'the withdrawal was requested',
      'an operator did withdrawal.approve',
      'the payout was ordered from the provider',
      'withdrawal.processing was announced',
      'the withdrawal became COMPLETED',
      'withdrawal.completed was announced',
    ]);
    expect(part.subject).toMatchObject({ kind: 'withdrawal', id: withdrawal.id, status: 'COMPLETED' });
    expect(part.entries[1]?.detail).toMatchObject({ operatorId, after: { status: 'APPROVED' } });
    expect(part.now).toMatchObject({ status: 'COMPLETED', approvedBy: [operatorId] });
    expect(JSON.stringify(part)).not.toContain(pixKey);
  });

  test('shows an unknown outcome of a payout while it lasts', async () => {
    world.bank.paysAtOnce(false);
    world.bank.next('order', () => ({ status: 500, body: {} }));
    const withdrawal = await follow(world);
    await withdrawal.becomes('PROCESSING');
    const unknown = await partOf(withdrawal.id);

    await eventually(async () => {
      await withdrawal.awaitRequests('find', 1);
      expect((await partOf(withdrawal.id)).now).toMatchObject({ isUnknownAtProvider: false });
    });
    world.bank.paysAtOnce(true);

    expect(unknown.now).toMatchObject({ status: 'PROCESSING' });
    expect(linesIn(unknown).slice(0, 2)).toEqual([
      'the withdrawal was requested',
      'the payout was ordered from the provider',
    ]);
    expect(linesIn(await partOf(withdrawal.id))).toContain('the provider confirmed that it has the order');
  });

  test('shows a TED’s rejection without account, holder or document', async () => {
    const ted = await pendingTed(world);
    const operator = { operatorId: newId(), body: { reason: 'Peça a 123.456.789-09 outra conta.' } };
    await world.client.send(`/v1/admin/withdrawals/${ted.id}/reject`, {
      method: 'POST',
      headers: operatorHeader({ operatorId: operator.operatorId }),
      body: operator.body,
    });

    const part = await partOf(ted.id);

    expect(part.entries.find(({ what }) => what === 'the withdrawal became REJECTED')?.detail).toMatchObject({
      rejectedReason: 'Peça a [document] outra conta.',
    });
    const row = await world.rowOf(ted.id);
    const { holderName, holderDocument, account } = Object(row?.bank_account);
    for (const hidden of [holderName, holderDocument, account]) {
      expect(hidden).toEqual(expect.any(String));
      expect(JSON.stringify(part)).not.toContain(hidden);
    }
  });

  test('shows an alarm when the provider reported another end', async () => {
    const withdrawal = await follow(world);
    await withdrawal.becomes('COMPLETED');
    await world.database.query(
      `INSERT INTO payout_alarms (id, withdrawal_id, merchant_id, environment, recorded, told, created_at)
      VALUES ($1, $2, $3, 'sandbox', 'COMPLETED', 'RETURNED', now())`,
      [newId(), withdrawal.id, withdrawal.tenant.merchantId],
    );

    const { entries } = await partOf(withdrawal.id);

    expect(entries.find(({ kind }) => kind === 'alarm')?.detail).toMatchObject({ reported: 'RETURNED' });
  });
});
