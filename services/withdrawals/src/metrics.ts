import { defineMetrics } from '@plataforma/observe';

export const metrics = defineMetrics({
  plataforma_payouts_unproven: {
    kind: 'gauge',
    help:
      'Approved payouts that wait because the books do not account for their money, or because a service ' +
      'did not answer the comparison.',
    labels: ['reason'],
  },
  plataforma_books_accepted_alone: {
    kind: 'gauge',
    help:
      'Alarms with which a single operator has accepted the books within the last hour, because no second ' +
      'operator existed.',
    labels: [],
  },
});
