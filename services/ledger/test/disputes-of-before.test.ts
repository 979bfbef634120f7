import { expect, test } from '@jest/globals';
import { newId, type Tenant } from '@plataforma/kernel';
import { clockMoved, eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { linkOf } from '../src/domain/chain.ts';
import { applyPosting, postingWith } from '../src/domain/posting.ts';
import { emptyWallet, walletKey } from '../src/domain/wallet.ts';
import { appendEntries, findExistingEntries } from '../src/store/journal.ts';
import { lockWallets } from '../src/store/wallets.ts';
import { disputeOf, paidByCard } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { differencesOf } from './support/tampering.ts';
import { sharedSeededWorld } from './support/world.ts';

const world = worldOfFile(sharedSeededWorld);

const DAY_MS = 86_400_000;

/**
 * Posts a won dispute as release 0.6.0 did. That release made the whole reserve of card money available at
 * once.
 */
async function winAsBefore(tenant: Tenant, { id, opened }: ReturnType<typeof disputeOf>): Promise<void> {
  const { amount, chargeId } = opened.data;
  await world.database.transaction(async (tx) => {
    const [wallet = emptyWallet(tenant)] = await lockWallets(tx, [tenant]);
    const { moments } = await findExistingEntries(tx, [tenant], []);
    const { at: createdAt, lastRow } = moments.get(walletKey(tenant)) ?? { at: '', lastRow: 0 };
    const posting = postingWith({
      lines: [
        { account: 'reserved:CARD', amount: -amount },
        { account: 'available:CARD', amount },
      ],
      rows: [{ type: 'DISPUTE_RELEASE', amount, description: 'Released', method: 'CARD', chargeId }],
    });
    const { wallet: next, rows } = applyPosting(wallet, posting);
    const entry = {
      ...{ ...tenant, id: newId(), kind: 'dispute_won' as const, reference: id, chargeId, createdAt },
      ...{ occurredAt: opened.data.createdAt, memo: null, externalId: null, endToEndId: null },
      orderedBy: 'service:charges' as const,
      lines: posting.lines,
      rows: rows.map((row, index) => ({ ...row, ordinal: lastRow + index + 1 })),
    };
    const link = linkOf(entry, wallet.chain);
    const chain = { sequence: link.sequence ?? 0, hash: link.hash };
    await appendEntries(tx, [{ ...entry, link }], [{ ...next, chain, changedAt: createdAt }]);
  });
}

test('a wallet posted by two releases settles without a difference', async () => {
  const tenant = newTenant();
  const settlesAt = new Date(Date.now() + 2 * DAY_MS).toISOString();
  const charge = paidByCard(tenant, { amount: 10_000, feeAmount: 100, settlesAt });
  const [before, now] = [disputeOf(charge, 4_000), disputeOf(charge, 1_000)];
  await world.deliver(charge, before.opened, now.opened);
  await winAsBefore(tenant, before);
  // Release 0.6.0 has already posted this event. Deliver the event to the new release, too.
  await world.deliver(before.resolved('RESOLVED_MERCHANT'), now.resolved('RESOLVED_MERCHANT'));
  expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 4_000, pendingBalance: 5_900 });

  await world.deliver(clockMoved(tenant.merchantId, { sandboxAheadMs: 3 * DAY_MS, version: 2 }));

  await eventually(async () =>
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 9_900, pendingBalance: 0 }),
  );
  expect(await differencesOf(world, tenant)).toEqual([]);
});
