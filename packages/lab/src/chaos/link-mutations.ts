import { dropChecksOn, type Mutation } from './mutation.ts';

const use = {
  file: 'services/charges/src/store/paid-charges.ts',
  find: 'SELECT uses IS NULL OR paid < uses AS',
  replace: 'SELECT true AS',
};

const byCard = 'services/charges/src/checkouts/operations/pay-by-card.ts';

/**
 * Several edits are needed, because several guards refuse the card while the visit or its order has an open
 * charge.
 */
const codeStays = [
  {
    file: byCard,
    find: "  if (living?.paymentMethod === 'PIX') {\n    await takeBack(dependencies, tenant, living.id);\n    return false;\n  }\n",
    replace: '',
  },
  {
    file: byCard,
    find: 'begunId: living?.id ?? null',
    replace: "begunId: living?.paymentMethod === 'CARD' ? living.id : null",
  },
  {
    file: byCard,
    find: 'payerName, payerDocument, ...card };',
    replace: "payerName, payerDocument, ...card, externalId: checkout.externalId + 'c' };",
  },
  {
    file: 'services/charges/src/checkouts/store/visits.ts',
    find: "checkout.use === 'USED' || checkout.isLiving",
    replace: "checkout.use === 'USED'",
  },
];

export const linkMutations: readonly Mutation[] = [
  {
    name: 'use of a link',
    breaks: 'a payment link has at most as many paying buyers and payments as it has uses',
    needs: { clients: 'more buyers at a payment link, at the same moment, than it has uses' },
    edits: [use],
    sql: [{ service: 'charges', statement: dropChecksOn('payment_links', 'paid') }],
    shows: /^a payment link that is paid more often than it has uses/,
  },
  {
    name: 'card without taking the code back',
    breaks: 'a card is charged for a visit only once its Pix code can’t be paid any more',
    needs: { clients: 'a card that is sent while a code of the same visit waits' },
    edits: codeStays,
    shows: /^a visit with several charges that are paid or wait/,
  },
];
