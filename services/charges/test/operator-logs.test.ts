import { describeOperatorLogs, newMerchantLetter } from '@plataforma/testing/proofs';
import { worldOfFile } from '@plataforma/testing/world';
import { operatorHeader } from './support/identity.ts';
import { newOperator, startRefundWorld } from './support/refund-world.ts';

const world = worldOfFile(startRefundWorld);

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
