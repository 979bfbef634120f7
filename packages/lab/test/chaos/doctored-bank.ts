import type { Truth } from '@plataforma/testing';
import type { Evidence } from '../../src/chaos/check/evidence.ts';
import type { DoctoredMemory } from './doctored-memory.ts';

export const withTruth = (change: (truth: Truth) => Partial<Truth>) => (evidence: Evidence) => ({
  ...evidence,
  truth: { ...evidence.truth, ...change(evidence.truth) },
});
const anything = () => true;

/** With the first of these once more, or as another one. */
const repeated = <T>(all: readonly T[], which: (one: T) => boolean, changes: Partial<T> = {}) => [
  ...all,
  ...all
    .filter(which)
    .slice(0, 1)
    .map((one) => ({ ...one, ...changes })),
];
export const changed = <T>(all: readonly T[], change: (one: T) => Partial<T>) =>
  all.map((one) => ({ ...one, ...change(one) }));

/** Another memory of the bank. */
export const doctoredBank: DoctoredMemory[] = [
  {
    name: 'the bank has received what was never recorded',
    doctor: withTruth(({ payments }) => ({
      payments: repeated(payments, anything, { endToEndId: 'E2' }),
    })),
    invariants: [2],
    finds: /^payment E2 of \d+ is not recorded/,
  },
  {
    name: 'a payment has paid another charge than it was for',
    doctor: withTruth(({ payments }) => ({
      payments: changed(payments, ({ txid }) => (txid ? { txid: 'x'.repeat(30) } : {})),
    })),
    invariants: [2],
    finds: /^payment .* came for x+, and is recorded for another/,
  },
  {
    name: 'a card was charged twice',
    doctor: withTruth(({ cardCharges }) => ({ cardCharges: repeated(cardCharges, anything) })),
    invariants: [2],
    finds: /^the card of charge .* was charged 2 times/,
  },
  {
    name: 'a card was never charged',
    doctor: withTruth(({ cardCharges }) => ({
      cardCharges: cardCharges.filter(({ chargeback }) => chargeback !== null),
    })),
    invariants: [2],
    finds: /^charge .* is paid, and its card was never charged/,
  },
  {
    name: 'a card was charged too much',
    doctor: withTruth(({ cardCharges }) => ({
      cardCharges: changed(cardCharges, ({ amount }) => ({ amount: amount + 1 })),
    })),
    invariants: [2],
    finds: /^charge .* of 9900 in sandbox is .*"amount":9901/,
  },
  {
    name: 'the bank has paid a withdrawal twice',
    doctor: withTruth(({ payouts }) => ({
      payouts: repeated(payouts, ({ status }) => status === 'REALIZADO'),
    })),
    invariants: [3],
    finds: /^withdrawal .* is COMPLETED, and paid 2 times/,
  },
  {
    name: 'the bank has paid a withdrawal that failed',
    doctor: withTruth(({ payouts }) => ({ payouts: changed(payouts, () => ({ status: 'REALIZADO' })) })),
    invariants: [3],
    finds: /^withdrawal .* is FAILED, its money is back, and the bank has paid it/,
  },
  {
    name: 'the bank has paid what nobody withdrew',
    doctor: withTruth(({ payouts }) => ({ payouts: repeated(payouts, anything, { idEnvio: 'another' }) })),
    invariants: [3],
    finds: /^payout another at the bank is of no withdrawal/,
  },
  {
    name: 'the bank has paid too much',
    doctor: withTruth(({ payouts }) => ({
      payouts: changed(payouts, ({ valor }) => ({ valor: valor + 1 })),
    })),
    invariants: [3],
    finds: /^withdrawal .* is COMPLETED, a PIX, and the bank has paid/,
  },
  {
    name: 'the bank has sent a refund twice',
    doctor: withTruth(({ refunds }) => ({ refunds: repeated(refunds, anything) })),
    invariants: [4],
    finds: /was returned 2 times/,
  },
  {
    name: 'the bank has sent a refund that nobody ordered',
    doctor: withTruth(({ refunds }) => ({ refunds: repeated(refunds, anything, { id: 'another' }) })),
    invariants: [4],
    finds: /^the bank has returned \d+ of .*, which nobody ordered/,
  },
  {
    name: 'the bank has sent no refund',
    doctor: withTruth(({ refunds }) => ({
      refunds: refunds.filter(({ status }) => status === 'NAO_REALIZADO'),
    })),
    invariants: [4],
    finds: /was returned, and the bank has not sent it/,
  },
  {
    name: 'the bank has never refused to return a payment',
    doctor: withTruth(({ refunds }) => ({
      refunds: refunds.filter(({ status }) => status !== 'NAO_REALIZADO'),
    })),
    invariants: [4],
    finds: /^payment .* is kept as one the bank refuses to return, and the bank has not/,
  },
  {
    name: 'more went back to a card than was ordered',
    doctor: withTruth(({ cardCharges }) => ({
      cardCharges: changed(cardCharges, ({ canceledAmount }) => ({ canceledAmount: canceledAmount + 1 })),
    })),
    invariants: [4],
    finds: /^of card charge .* 900 was to go back, and 901 did/,
  },
  {
    name: 'nothing went back to a card',
    doctor: withTruth(({ cardCharges }) => ({
      cardCharges: changed(cardCharges, () => ({ canceledAmount: 0 })),
    })),
    invariants: [4],
    finds: /^of card charge .* 900 was to go back, and 0 did/,
  },
  {
    name: 'a payment is contested that is in no dispute',
    doctor: withTruth(({ infractions, payments }) => {
      const contested = new Set(infractions.map(({ endToEndId }) => endToEndId));
      const other = payments.find(({ endToEndId, valor }) => valor === 500_000 && !contested.has(endToEndId));
      return {
        infractions: repeated(infractions, anything, { ...other, idInfracao: 'another', defesa: null }),
      };
    }),
    invariants: [4],
    finds: /^infraction another of E\w+ has opened no dispute/,
  },
  {
    name: 'nobody contests what is in a dispute',
    doctor: withTruth(({ cardCharges }) => ({
      infractions: [],
      cardCharges: changed(cardCharges, () => ({ chargeback: null })),
    })),
    invariants: [4],
    finds: [
      /^dispute .* is of infraction:sandbox:.*, which nobody contests/,
      /^dispute .* is of chargeback:.*, which nobody contests/,
    ],
  },
  {
    name: 'something else is contested',
    doctor: withTruth(({ infractions, cardCharges: [one, other, ...rest] }) => ({
      infractions: changed(infractions, () => ({ endToEndId: 'E3' })),
      ...(one &&
        other && {
          cardCharges: [{ ...one, id: other.id }, { ...other, id: one.id }, ...rest],
        }),
    })),
    invariants: [4],
    finds: /^dispute .* is of infraction:.*, which contests something else/,
  },
  {
    name: 'what a merchant had to say is not at the bank',
    doctor: withTruth(({ infractions }) => ({ infractions: changed(infractions, () => ({ defesa: null })) })),
    invariants: [9],
    finds: /^what was said of infraction .* is not at the bank/,
  },
  {
    name: 'a merchant had something else to say',
    doctor: withTruth(({ infractions }) => ({
      infractions: changed(infractions, () => ({
        defesa: { descricao: 'nada', documentos: [], arquivos: [] },
      })),
    })),
    invariants: [9],
    finds: /^what was said of infraction .* is something else at the bank/,
  },
  {
    name: 'a file of what a merchant had to say is not at the bank',
    doctor: withTruth(({ infractions }) => ({
      infractions: changed(infractions, ({ defesa }) => ({ defesa: defesa && { ...defesa, arquivos: [] } })),
    })),
    invariants: [9],
    finds: /^what was said of infraction .* is something else at the bank/,
  },
];
