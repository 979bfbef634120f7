import { expect } from '@jest/globals';
import { eventually } from '../../src/index.ts';
import type { Client } from './client.ts';
import type { ClockModel } from './clock-model.ts';

const DAY_MS = 86_400_000;

export const daysAhead = (time: unknown) => Math.round((Date.parse(String(time)) - Date.now()) / DAY_MS) + 0;

/** Compares the data in a merchant's sandbox with the model, through the public API. */
export class ClockReader {
  private readonly merchant: Client;
  private readonly model: ClockModel;

  constructor(merchant: Client, model: ClockModel) {
    this.merchant = merchant;
    this.model = model;
  }

  /** Waits until the balances, the charges, the withdrawals and the statement equal the model. */
  async agree(): Promise<void> {
    const { model, merchant } = this;
    await eventually(async () => {
      await this.agreeOnBalance();
      await this.agreeOnCharges();
      const { list: withdrawals } = await merchant.get('/v1/withdrawals?limit=100');
      expect(statesOf(withdrawals)).toEqual(statesOf(model.withdrawals));
      const { list: disputes } = await merchant.get('/v1/disputes?limit=100');
      const contested = model.charges.flatMap(({ dispute }) => (dispute ? [dispute] : []));
      expect(statesOf(disputes)).toEqual(statesOf(contested));
      await this.agreeOnStatement();
    });
  }

  async agreeOnBalance(): Promise<void> {
    expect((await this.merchant.get('/v1/balance')).data).toMatchObject(this.model.balance());
  }

  async agreeOnCharges(): Promise<void> {
    const { list: charges } = await this.merchant.get('/v1/charges?limit=100');
    const reported = charges.map(({ id, status, refundedAmount }) => ({
      id,
      status,
      refunded: refundedAmount ?? 0,
    }));
    const expected = this.model.charges.map(({ id, status, refunded }) => ({ id, status, refunded }));
    expect(sorted(reported)).toEqual(sorted(expected));
    const { list: refunds } = await this.merchant.get('/v1/refunds?limit=100');
    const ended = refunds.map(({ chargeId, amount, status, failureReason }) => ({
      ...{ id: chargeId, amount, status },
      failureReason: failureReason ?? null,
    }));
    const requested = this.model.charges.flatMap(({ id, refunds: all }) =>
      all.map((each) => ({ id, ...each })),
    );
    expect(sorted(ended)).toEqual(sorted(requested));
  }

  private async agreeOnStatement(): Promise<void> {
    const { rows } = this.model;
    const { list } = await this.merchant.get('/v1/statement?order=asc&limit=100');
    expect(list.map(({ type, amount }) => [type, amount])).toEqual(
      rows.map(([type, amount]) => [type, amount]),
    );
    for (const [index, [, , from, to]] of rows.entries()) {
      const day = daysAhead(list[index]?.createdAt);
      expect(day).toBeGreaterThanOrEqual(from);
      expect(day).toBeLessThanOrEqual(to);
    }
  }
}

const sorted = (all: readonly object[]) => all.map((each) => JSON.stringify(each)).sort();

const statesOf = (all: readonly { id?: unknown; amount?: unknown; status?: unknown }[]) =>
  sorted(all.map(({ id, amount, status }) => ({ id, amount, status })));
