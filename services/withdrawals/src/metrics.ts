import { defineMetrics } from '@plataforma/observe';

export const metrics = defineMetrics({
  plataforma_payouts_unproven: {
    kind: 'gauge',
    help: 'Approved payouts that wait: the books do not account for their money, or a service did not answer for it.',
    labels: ['reason'],
  },
  plataforma_books_accepted_alone: {
    kind: 'gauge',
    help: 'Alarms by which a single operator has accepted the books within the last hour, as there was no second one.',
    labels: [],
  },
});
