import { beforeEach, expect, test } from '@jest/globals';
import { timelinePart } from '@plataforma/contracts';
import { soundWorld } from './support/books.ts';
import { callsIn, hired, proposed } from './support/proposals.ts';
import { merchantIn } from './support/wallet-calls.ts';
import { startWorld } from './support/world.ts';

const world = soundWorld(startWorld);

const one = hired('FINANCE', 90);
const other = hired('FINANCE', 60);
const { employ, adjust, unblock, approve, reject } = callsIn(world);

beforeEach(() => employ(false, one, other));

async function linesOf(id: string) {
  const { data } = await world.askAs('gateway', `/internal/timeline?ids=${id}`);
  const { entries } = timelinePart.parse(data);
  return entries.filter(({ kind }) => kind === 'proposal').map(({ what, detail }) => ({ what, ...detail }));
}

test('a merchant’s timeline shows proposals with their approval, refusal or expiry', async () => {
  const tenant = await merchantIn(world);
  const { merchantId } = tenant;
  const done = proposed(await adjust(one, { ...tenant, amount: 700 }));
  await approve(other, done.id);
  const refused = proposed(await unblock(one, { ...tenant, amount: 500, reason: 'CPF 123.456.789-09' }));
  await reject(other, refused.id);
  const late = proposed(await adjust(one, { ...tenant, amount: 900 }));
  expect((await linesOf(merchantId)).at(-1)).toMatchObject({
    what: 'an operator proposed wallet.adjustment',
  });
  await world.database.query("UPDATE proposals SET expires_at = now() - interval '1 ms' WHERE id = $1", [
    late.id,
  ]);

  const lines = await linesOf(merchantId);

  const [by, decided] = [{ proposedBy: one.id, merchantId }, { decidedBy: other.id }];
  const adjusted = { what: 'an operator proposed wallet.adjustment', reason: 'a kindness', ...by };
  expect(lines).toMatchObject([
    { ...adjusted, proposalId: done.id, amount: 700 },
    {
      what: 'another operator approved wallet.adjustment, which was executed',
      ...{ proposalId: done.id, ...decided },
    },
    { what: 'an operator proposed wallet.unblock', reason: 'CPF [document]', amount: 500, ...by },
    {
      what: 'an operator refused wallet.unblock',
      ...{ proposalId: refused.id, decisionReason: 'wrong', ...decided },
    },
    { ...adjusted, proposalId: late.id, amount: 900 },
    { what: 'the proposal of wallet.adjustment expired', proposalId: late.id },
  ]);
});

test('a proposal is found under the id of the object that it creates', async () => {
  const tenant = await merchantIn(world);
  const { subjectId } = proposed(await adjust(one, { ...tenant, amount: 700 }));

  expect(await linesOf(subjectId)).toHaveLength(1);
  expect(await linesOf(one.id)).toEqual([]);
});
