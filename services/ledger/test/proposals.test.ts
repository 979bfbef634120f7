import { beforeEach, describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { MAX_AMOUNT, newId } from '@plataforma/kernel';
import { readProposalGauges } from '@plataforma/tables';
import { soundWorld } from './support/books.ts';
import { newTenant, operatorHeader } from './support/identity.ts';
import { callsIn, hired, outcome, proposed } from './support/proposals.ts';
import { merchantIn } from './support/wallet-calls.ts';
import { startWorld } from './support/world.ts';

const world = soundWorld(startWorld);

const one = hired('FINANCE', 90);
const other = hired('FINANCE', 60);
const fresh = hired('FINANCE', 0.9);
const made = hired('FINANCE', 29, one.id);
const support = hired('SUPPORT', 90);
const { employ, adjust, unblock, block, approve, reject, listed } = callsIn(world);

beforeEach(() => employ(false, one, other, fresh, made, support));

const auditOf = (id: string) =>
  world.database.query(
    "SELECT action, operator_id, after FROM audit_log WHERE subject_id = $1 OR after ->> 'proposalId' = $1::text ORDER BY sequence",
    [id],
  );

describe('one FINANCE alone', () => {
  test.each([[MAX_AMOUNT], [-2_475]])('cannot adjust a wallet by %i cents', async (amount) => {
    const tenant = await merchantIn(world);

    const answer = await adjust(one, { ...tenant, amount });
    const proposal = proposed(answer);
    const again = await approve(one, proposal.id);

    expect(proposal).toMatchObject({
      ...{ action: 'wallet.adjustment', service: 'ledger', status: 'PROPOSED', proposedBy: one.id },
      ...{ ...tenant, amount, reason: 'a kindness', decidedBy: null },
    });
    expect([outcome(again), again.message]).toEqual([
      '403 FORBIDDEN',
      expect.stringMatching(/another operator, created more than 24 hours ago, must approve/),
    ]);
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 2_475 });
  });

  test('cannot release money that a court blocked, but can block', async () => {
    const tenant = await merchantIn(world);
    expect(await block(one, { ...tenant, amount: 2_000 })).toMatchObject({ status: 201 });

    const { effect } = proposed(await unblock(one, { ...tenant, amount: 2_000 }));

    expect(effect).toBe(
      `Release R$ 20.00 of the blocked balance of the merchant ${tenant.merchantId} in sandbox.`,
    );
    expect(await world.balanceOf(tenant)).toMatchObject({ blockedBalance: 2_000 });
  });

  test('cannot act alone after all others lost access', async () => {
    employ(false, one);

    expect(await adjust(one, { ...newTenant(), amount: 100 })).toMatchObject({ status: 202 });
  });

  test('is refused after a lost role, and without an answer of the gateway', async () => {
    employ(false, other);
    expect(outcome(await adjust(one, { ...newTenant(), amount: 100 }))).toBe('403 FORBIDDEN');

    const lonely = await world.startReplica(undefined, { GATEWAY_INTERNAL_URL: 'http://127.0.0.1:1' });
    const answer = await fetch(`${lonely.url}/v1/admin/ledger/adjustments`, {
      method: 'POST',
      headers: { ...operatorHeader({ operatorId: one.id }), 'content-type': 'application/json' },
      body: JSON.stringify({ ...newTenant(), amount: 100, description: 'a kindness' }),
    });
    expect(answer.status).toBe(503);
  });
});

describe('an approval', () => {
  test('executes once, and the audit log names both operators', async () => {
    const tenant = newTenant();
    const { id, subjectId } = proposed(await adjust(one, { ...tenant, amount: 123_456 }));

    const answer = await approve(other, id);
    const repeated = await approve(other, id);

    expect(answer).toMatchObject({
      status: 200,
      data: { id, status: 'EXECUTED', decidedBy: other.id, decidedAt: expect.any(String) },
    });
    expect([repeated.status, repeated.data]).toEqual([200, answer.data]);
    expect(outcome(await approve(made, id))).toBe('409 INVALID_STATE');
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 123_456 });
    expect(await world.entriesOf(subjectId)).toHaveProperty('adjustment');
    expect(await auditOf(id)).toMatchObject([
      { action: 'proposal.create', operator_id: one.id, after: { amount: 123_456, ...tenant } },
      {
        action: 'wallet.adjustment',
        operator_id: other.id,
        after: { proposalId: id, proposedBy: one.id, isAlone: false },
      },
    ]);
  });

  test('with a key is replayed', async () => {
    const tenant = newTenant();
    const { id } = proposed(await adjust(one, { ...tenant, amount: 100 }));
    const key = newId();

    const answers = [await approve(other, id, key), await approve(other, id, key)];

    expect(answers.map(({ status, headers }) => [status, headers.get('idempotency-replayed')])).toEqual([
      [200, null],
      [200, 'true'],
    ]);
    expect(answers[1]?.data).toEqual(answers[0]?.data);
  });

  test('by two operators at once executes once', async () => {
    const third = hired('ADMIN', 30);
    employ(false, one, other, third);
    const tenant = newTenant();
    const { id } = proposed(await adjust(one, { ...tenant, amount: 100 }));

    const answers = await Promise.all([other, third, other].map((person) => approve(person, id)));

    const outcomes = answers.map(outcome);
    expect(outcomes).toContain('200');
    expect(outcomes.every((each) => /^200$|^409 INVALID_STATE$/.test(each))).toBe(true);
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 100 });
  });

  test('is refused to new operators, to those whom the proposer created, and to SUPPORT', async () => {
    const { id } = proposed(await adjust(one, { ...newTenant(), amount: 100 }));

    const answers = [await approve(fresh, id), await approve(made, id), await approve(support, id)];

    expect(answers.map(outcome)).toEqual(Array(3).fill('403 FORBIDDEN'));
    expect(answers[0]?.message).toMatch(/less than 24 hours old.*or you from 20/);
    expect(answers[1]?.message).toMatch(/created your account.*or you from 20/);
    expect(proposed(await adjust(made, { ...newTenant(), amount: 100 })).proposedBy).toBe(made.id);
  });

  test('that the balance refuses leaves the proposal open', async () => {
    const tenant = newTenant();
    const { id } = proposed(await adjust(one, { ...tenant, amount: -500 }));

    expect(outcome(await approve(other, id))).toBe('422 INSUFFICIENT_BALANCE');
    const credit = proposed(await adjust(one, { ...tenant, amount: 500 }));
    await approve(other, credit.id);

    expect(await approve(other, id)).toMatchObject({ status: 200, data: { status: 'EXECUTED' } });
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 0 });
  });

  test.each([
    ['lost access', () => employ(false, other, made)],
    ['became SUPPORT', () => employ(false, { ...one, role: 'SUPPORT' }, other)],
  ])('is refused after the proposer %s', async (_what, happen) => {
    const { id } = proposed(await adjust(one, { ...newTenant(), amount: 100 }));
    happen();

    expect(outcome(await approve(other, id))).toBe('409 INVALID_STATE');
  });

  test('is refused after a day', async () => {
    const { id, expiresAt, proposedAt } = proposed(await adjust(one, { ...newTenant(), amount: 100 }));
    expect(Date.parse(expiresAt) - Date.parse(proposedAt)).toBe(86_400_000);
    await world.database.query(
      "UPDATE proposals SET proposed_at = now() - interval '25 hours', expires_at = now() - interval '1 hour' WHERE id = $1",
      [id],
    );

    expect(outcome(await approve(other, id))).toBe('409 INVALID_STATE');
    expect((await listed(`id=${id}`)).items).toMatchObject([{ id, status: 'EXPIRED' }]);
    expect((await listed('status=EXPIRED')).items.map((each) => each.id)).toEqual([id]);
  });

  test('of an unknown proposal is not found', async () => {
    expect(outcome(await approve(other, newId()))).toBe('404 NOT_FOUND');
  });
});

describe('a proposal', () => {
  test('with an own id, or with a key, is stored once', async () => {
    const tenant = newTenant();
    const body = { ...tenant, id: newId(), amount: 100 };
    const key = newId();

    const same = [await adjust(one, body), await adjust(one, body)].map(proposed);
    const keyed = [
      await adjust(one, { ...tenant, amount: 7 }, key),
      await adjust(one, { ...tenant, amount: 7 }, key),
    ];

    expect(same[0]).toEqual(same[1]);
    expect(keyed[0]?.data).toEqual(keyed[1]?.data);
    expect(await listed(`merchantId=${tenant.merchantId}`)).toMatchObject({ total: 2 });
  });

  test.each([
    ['the proposer', one],
    ['another operator', other],
    ['a new operator', fresh],
  ])('is rejected by %s', async (_who, person) => {
    const { id } = proposed(await adjust(one, { ...newTenant(), amount: 100 }));

    expect(await reject(person, id)).toMatchObject({
      status: 200,
      data: { id, status: 'REJECTED', decidedBy: person.id, decisionReason: 'wrong' },
    });

    expect([outcome(await approve(other, id)), outcome(await reject(person, id))]).toEqual([
      '409 INVALID_STATE',
      '409 INVALID_STATE',
    ]);
    expect(await auditOf(id)).toMatchObject([
      { action: 'proposal.create' },
      { action: 'proposal.reject', operator_id: person.id },
    ]);
  });

  test('is approved by a single operator, and recorded so', async () => {
    const { id } = proposed(await adjust(one, { ...newTenant(), amount: 100 }));
    employ(true, one);

    expect(await approve(one, id)).toMatchObject({ status: 200 });
    expect((await auditOf(id)).at(-1)).toMatchObject({ after: { isAlone: true, proposedBy: one.id } });
  });

  test('is not needed from a single operator, and the audit log says so', async () => {
    employ(true, one);
    const tenant = newTenant();

    const { status, data } = await adjust(one, { ...tenant, amount: 100 });

    expect([status, api.adjustWallet.data.parse(data)]).toMatchObject([201, tenant]);
    expect(await auditOf(tenant.merchantId)).toMatchObject([{ after: { amount: 100, isAlone: true } }]);
  });
});

test('the list of an older gateway decides by the number of operators', async () => {
  const tenant = newTenant();
  world.gateway.employ({ id: one.id, role: 'FINANCE' }, { id: fresh.id, role: 'FINANCE' });
  const { id } = proposed(await adjust(one, { ...tenant, amount: 100 }));
  expect((await readProposalGauges(world.database))[0]?.value).toBeGreaterThan(0);
  expect(outcome(await approve(fresh, id))).toBe('200');

  world.gateway.employ({ id: one.id, role: 'FINANCE' });
  expect(outcome(await adjust(one, { ...tenant, amount: 100 }))).toBe('201');
});
