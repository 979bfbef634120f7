import { newId } from '@plataforma/kernel';
import { describeOperatorLogs, newMerchantLetter } from '@plataforma/testing/proofs';
import { worldOfFile } from '@plataforma/testing/world';
import { operatorHeader } from '../support/identity.ts';
import { startWorld } from '../support/world.ts';
import { pending } from './support/states.ts';

const world = worldOfFile(startWorld);

describeOperatorLogs({
  service: 'withdrawals',
  world: () => world,
  operatorHeader,
  async change() {
    const operatorId = newId();
    const { id } = await pending(world);
    await world.client.reject(id, operatorId, 'Não confere.');
    return {
      filter: `operatorId=${operatorId}&subjectId=${id}`,
      shown: { action: 'withdrawal.reject', reason: 'Não confere.' },
    };
  },
  letter: newMerchantLetter,
});
