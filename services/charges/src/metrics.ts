import { defineMetrics } from '@plataforma/observe';

export const metrics = defineMetrics({
  plataforma_checkout_cards_paused_total: {
    kind: 'counter',
    help: 'Cards that were refused to networks with declines at a payment link where too many had been declined, by step.',
    labels: ['step'],
  },
  plataforma_files_at_quota_total: {
    kind: 'counter',
    help: 'Files of evidence that came while their merchant had less than a fifth of its room left, by what became of them.',
    labels: ['environment', 'outcome'],
  },
  plataforma_checkouts_oldest_untouched_seconds: {
    kind: 'gauge',
    help: 'How long ago the oldest visit began that has neither a charge nor a use; 0 when there is none.',
    labels: [],
  },
  plataforma_checkouts_kept_seconds: {
    kind: 'gauge',
    help: 'How long such a visit is kept.',
    labels: [],
  },
  plataforma_checkout_ends_failed_total: {
    kind: 'counter',
    help: 'Looks that failed whether a checkout or a payment link has ended; each is repeated after its lease.',
    labels: ['what'],
  },
  plataforma_reconciliation_behind_seconds: {
    kind: 'gauge',
    help: 'For how long the oldest UTC day has been over whose payments the clock has not compared; 0 when there is none.',
    labels: ['environment'],
  },
});
