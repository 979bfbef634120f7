import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { eventually } from '../../src/index.ts';
import { CARD, tokenOf } from './bank.ts';
import { anOrder, type Client } from './client.ts';
import { ClockModel, type ModelCharge, type ModelWithdrawal } from './clock-model.ts';
import { ClockReader, daysAhead } from './clock-reader.ts';
import { refundAmounts, type Step, type StepOf } from './clock-steps.ts';
import { insist } from './insist.ts';

const DAY_MS = 86_400_000;
const DAY_S = 86_400;
/** The real time in milliseconds that a slow refund takes at the sandbox provider. */
const SLOW_MS = 10_000;
/** The default fees of the platform, in basis points of the amount. */
const FEE_BPS = { PIX: 99, CARD: 399 } as const;
const ends = { complete: 'COMPLETED', fail: 'FAILED', reject: 'REJECTED' } as const;
const keys = { failed: 'fail@sandbox.test', held: 'hold@sandbox.test' } as const;

/**
 * Executes steps through the public API, in the sandbox of one merchant. Compares each answer with the model.
 */
export class ClockPlayer {
  readonly model = new ClockModel();
  readonly reader: ClockReader;
  private readonly merchant: Client;

  constructor(merchant: Client) {
    this.merchant = merchant;
    this.reader = new ClockReader(merchant, this.model);
  }

  /**
   * Executes a step, and waits until the balance equals the model. Returns false if the step had no charge or
   * withdrawal to act on.
   */
  async play(step: Step): Promise<boolean> {
    const isDone = await this.take(step);
    if (step.kind === 'advance') await this.reader.agree();
    else if (isDone) await eventually(() => this.reader.agreeOnBalance());
    return isDone;
  }

  private async take(step: Step): Promise<boolean> {
    switch (step.kind) {
      case 'pix':
      case 'card':
        return this.sell(step);
      case 'unpaid':
        return this.offer(step);
      case 'refund':
        return this.refund(step);
      case 'dispute':
        return this.dispute(step);
      case 'resolve':
        return this.resolve(step);
      case 'withdraw':
        return this.withdraw(step);
      case 'end':
        return this.endHeld(step);
      case 'advance':
        return this.advance(step.days);
    }
  }

  private async newCharge(order: { amount: number; expiresIn?: number }, method: 'PIX' | 'CARD') {
    const { merchant, model } = this;
    const card = method === 'CARD' ? { cardToken: await tokenOf(merchant, CARD.approved) } : {};
    const body = anOrder({ ...order, ...card, paymentMethod: method });
    const { status, data, body: reported } = await insist(() => merchant.post('/v1/charges', body));
    expect([status, reported.error]).toEqual([201, undefined]);
    expect(daysAhead(data.createdAt)).toBe(model.ahead);
    const charge: ModelCharge = {
      ...{ id: String(data.id), method, amount: order.amount, status: 'PENDING', dispute: null },
      ...{ fee: (order.amount * FEE_BPS[method]) / 10_000, waiting: 0, refunded: 0, refunds: [] },
      endsDay: model.ahead + (order.expiresIn ?? 0) / DAY_S,
      settlesAt: Date.parse(String(data.settlesAt)),
    };
    model.charges.push(charge);
    return charge;
  }

  private async sell({ kind, amount }: StepOf<'pix' | 'card'>): Promise<true> {
    const charge = await this.newCharge(
      { amount, ...(kind === 'pix' ? { expiresIn: DAY_S } : {}) },
      toMethod[kind],
    );
    if (kind === 'pix') await insist(() => this.merchant.post(`/v1/charges/${charge.id}/simulate-payment`));
    // A card charge settles when the thirtieth day begins, at midnight in São Paulo.
    else expect(Math.ceil((charge.settlesAt - Date.now()) / DAY_MS)).toBe(this.model.ahead + 30);
    this.model.pay(charge);
    return true;
  }

  /**
   * The charge expires half a day before the full number of days, so that small differences of time do not
   * matter.
   */
  private async offer({ days }: StepOf<'unpaid'>): Promise<true> {
    await this.newCharge({ amount: 1_000, expiresIn: (days - 0.5) * DAY_S }, 'PIX');
    return true;
  }

  private async advance(days: number): Promise<true> {
    const body = { advance: `P${days}D` };
    const { status, data } = await this.merchant.post('/v1/sandbox/clock', body, randomUUID());
    expect([200, 202]).toContain(status);
    this.model.advance(days, Date.parse(String(data.now)));
    expect(daysAhead(data.now)).toBe(this.model.ahead);
    if (status === 202)
      await eventually(async () =>
        expect((await this.merchant.get('/v1/sandbox/clock')).data.waitingFor).toEqual([]),
      );
    return true;
  }

  private async refund({ which, how, days }: StepOf<'refund'>): Promise<boolean> {
    const isSlow = how === 'slow' || how === 'slow and refused';
    const charge = one(
      this.model.charges.filter(
        ({ status, dispute, method }) => status === 'PAID' && !dispute && !(isSlow && method === 'CARD'),
      ),
      which,
    );
    if (!charge) return false;
    const net = charge.amount - charge.fee;
    const amount = how === 'whole' ? charge.amount : how === 'net' ? net : refundAmounts[how];
    const path = `/v1/charges/${charge.id}/refund`;
    const begunAt = performance.now();
    const answer = this.merchant.post(path, how === 'net' ? {} : { amount });
    // Without this handler, a rejection would be unhandled until the code below awaits the answer.
    answer.catch(() => undefined);
    const refund = this.model.refund(charge, amount);
    if (!refund) {
      const { status, body } = await answer;
      expect([status, body.error?.code]).toEqual([422, 'INSUFFICIENT_BALANCE']);
      return true;
    }
    const from = this.model.ahead;
    const isUnderWay = isSlow && (await this.moveMeanwhile(days, begunAt));
    const { status } = await answer;
    expect([200, 202, 409, 503]).toContain(status);
    if (how === 'refused' || how === 'slow and refused') refund.refused(isUnderWay ? this.model.ahead : from);
    else refund.done();
    // The next step may dispute the charge, which is possible only after the refund has ended.
    await eventually(() => this.reader.agreeOnCharges());
    return true;
  }

  /**
   * Moves the sandbox clock while the provider processes a refund. Returns true if the refund was certainly
   * still in progress after the move.
   */
  private async moveMeanwhile(days: number, begunAt: number): Promise<boolean> {
    await eventually(() => this.reader.agreeOnBalance());
    const isUnderWay = () => performance.now() - begunAt < SLOW_MS;
    await this.advance(days);
    const wasUnderWay = isUnderWay();
    const { list } = await this.merchant.get('/v1/refunds?limit=1');
    if (isUnderWay()) expect(list[0]?.status).toBe('PROCESSING');
    return wasUnderWay;
  }

  private async dispute({ which, isPart }: StepOf<'dispute'>): Promise<boolean> {
    const isLeft = ({ amount, refunded }: ModelCharge) => amount > refunded;
    const isFit = (it: ModelCharge) => ['PAID', 'REFUNDED'].includes(it.status) && !it.dispute && isLeft(it);
    const charge = one(this.model.charges.filter(isFit), which);
    if (!charge) return false;
    const left = charge.amount - charge.refunded;
    const amount = isPart && charge.method === 'CARD' ? Math.ceil(left / 2) : left;
    const body = { reason: 'FRAUD', ...(amount < left ? { amount } : {}) };
    const path = `/v1/sandbox/charges/${charge.id}/dispute`;
    const { status, data } = await insist(() => this.merchant.post(path, body));
    expect([status, data.amount, daysAhead(data.createdAt)]).toEqual([200, amount, this.model.ahead]);
    this.model.dispute(charge, String(data.id), amount);
    return true;
  }

  private async resolve({ which, outcome }: StepOf<'resolve'>): Promise<boolean> {
    const charge = one(
      this.model.charges.filter(({ dispute }) => dispute?.status === 'OPEN'),
      which,
    );
    if (!charge?.dispute) return false;
    const path = `/v1/sandbox/disputes/${charge.dispute.id}/resolve`;
    const { status, data } = await this.merchant.post(path, { outcome });
    expect([status, daysAhead(data.resolvedAt)]).toEqual([200, this.model.ahead]);
    this.model.resolve(charge, charge.dispute, outcome);
    return true;
  }

  private async withdraw({ percent, to }: StepOf<'withdraw'>): Promise<true> {
    const { model } = this;
    const amount = Math.max(1_000, Math.floor((model.withdrawable * percent) / 100));
    const target =
      to === 'paid' ? { pixKey: randomUUID(), pixKeyType: 'EVP' } : { pixKey: keys[to], pixKeyType: 'EMAIL' };
    const { status, body, data } = await this.merchant.post(
      '/v1/withdrawals',
      { amount, ...target },
      randomUUID(),
    );
    if (amount > model.withdrawable) {
      expect([status, body.error?.code]).toEqual([422, 'INSUFFICIENT_BALANCE']);
      return true;
    }
    expect([status, daysAhead(data.createdAt)]).toEqual([201, model.ahead]);
    const withdrawal: ModelWithdrawal = { id: String(data.id), amount, status: 'PENDING' };
    model.withdraw(withdrawal);
    if (to !== 'held') model.endWithdrawal(withdrawal, to === 'paid' ? 'COMPLETED' : 'FAILED');
    return true;
  }

  private async endHeld({ which, how }: StepOf<'end'>): Promise<boolean> {
    const pending = one(
      this.model.withdrawals.filter(({ status }) => status === 'PENDING'),
      which,
    );
    if (!pending) return false;
    const { status } = await insist(() => this.merchant.post(`/v1/sandbox/withdrawals/${pending.id}/${how}`));
    expect(status).toBe(200);
    this.model.endWithdrawal(pending, ends[how]);
    return true;
  }
}

const toMethod = { pix: 'PIX', card: 'CARD' } as const;

const one = <T>(all: readonly T[], which: number): T | undefined => all[which % Math.max(1, all.length)];
