import { describe, expect, test } from '@jest/globals';
import { type Charge, type ChargeStatus, pay, remove, revise } from '../src/domain/charge.ts';

const statuses: ChargeStatus[] = ['ATIVA', 'CONCLUIDA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR'];

function chargeIn(status: ChargeStatus): Charge {
  const terms = { amount: 3700, pixKey: 'key', debtor: null, payerRequest: null, expiresInSeconds: 60 };
  const txid = 'a'.repeat(32);
  const location = { locationId: 1, locationToken: 'b'.repeat(22) };
  return { clientId: 'shop', txid, terms, status, revision: 3, createdAt: new Date(0), ...location };
}

const steps = {
  revise: (charge: Charge) => revise(charge, { amount: 5000 }),
  remove,
  pay,
};

/** The status after each step; null where it is refused. */
const expected: Record<ChargeStatus, Record<keyof typeof steps, ChargeStatus | null>> = {
  ATIVA: { revise: 'ATIVA', remove: 'REMOVIDA_PELO_USUARIO_RECEBEDOR', pay: 'CONCLUIDA' },
  CONCLUIDA: { revise: null, remove: null, pay: 'CONCLUIDA' },
  REMOVIDA_PELO_USUARIO_RECEBEDOR: { revise: null, remove: null, pay: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' },
};

describe('the states of a charge', () => {
  test.each(
    statuses.flatMap((status) => (['revise', 'remove', 'pay'] as const).map((step) => ({ status, step }))),
  )('$step of a charge that is $status follows the table', ({ status, step }) => {
    const charge = chargeIn(status);
    const next = expected[status][step];

    if (next === null)
      expect(() => steps[step](charge)).toThrow(expect.objectContaining({ code: 'CobOperacaoInvalida' }));
    else expect(steps[step](charge).status).toBe(next);
  });

  test('a change counts the revision up by one, a payment does not', () => {
    const charge = chargeIn('ATIVA');

    expect([revise(charge, { amount: 1 }).revision, remove(charge).revision, pay(charge).revision]).toEqual([
      4, 4, 3,
    ]);
  });

  test.each(statuses)('the same terms again change nothing of a charge that is %s', (status) => {
    const charge = chargeIn(status);

    expect(revise(charge, { ...charge.terms })).toBe(charge);
  });
});
