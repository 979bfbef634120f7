import { defineMetrics } from '@plataforma/observe';

export const metrics = defineMetrics({
  plataforma_checkout_cards_paused_total: {
    kind: 'counter',
    help: 'Cards that were refused at a payment link with too many declines, to networks with declines, by step.',
    labels: ['step'],
  },
  plataforma_files_at_quota_total: {
    kind: 'counter',
    help:
      'Files of evidence that arrived while their merchant had less than a fifth of its quota left, by ' +
      'outcome.',
    labels: ['environment', 'outcome'],
  },
  plataforma_checkouts_oldest_untouched_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest visit that has neither a charge nor a use; 0 without any.',
    labels: [],
  },
  plataforma_checkouts_kept_seconds: {
    kind: 'gauge',
    help: 'Retention of such a visit.',
    labels: [],
  },
  plataforma_checkout_ends_failed_total: {
    kind: 'counter',
    help: 'Failed checks whether a checkout or a payment link has ended; each is repeated after its lease.',
    labels: ['what'],
  },
  plataforma_reconciliation_behind_seconds: {
    kind: 'gauge',
    help: 'Time since the end of the oldest UTC day whose payments were not compared; 0 without any.',
    labels: ['environment'],
  },
});
