import { afterAll, beforeAll } from '@jest/globals';
import { describeOperatorLogs, newMerchantLetter } from '@plataforma/testing/proofs';
import { operatorHeader } from './support/identity.ts';
import { newOperator, type RefundWorld, startRefundWorld } from './support/refund-world.ts';

let world: RefundWorld;

beforeAll(async () => {
  world = await startRefundWorld();
});
afterAll(() => world.stop());

describeOperatorLogs({
  service: 'charges',
  world: () => world,
  operatorHeader,
  async change() {
    const operator = newOperator();
    const { id: chargeId } = await world.paidCharge();
    const order = { chargeId, reason: 'FRAUD', description: 'não fui eu' };
    await world.operate('/disputes', order, operator);
    return {
      filter: `operatorId=${operator.operatorId}`,
      shown: { action: 'dispute.open', reason: 'não fui eu' },
    };
  },
  letter: newMerchantLetter,
});
