import { defineMetrics } from '@plataforma/observe';

export const metrics = defineMetrics({
  plataforma_circuit_open: {
    kind: 'gauge',
    help:
      '1 while this gateway refuses a class of callers of a service, because the service did not answer ' +
      'them.',
    labels: ['to', 'callers'],
  },
  plataforma_request_log_lost_total: {
    kind: 'counter',
    help:
      'Lines of the request log that were not written: too many waited, too many were of one merchant, the ' +
      'database refused them, or the process stopped.',
    labels: ['cause'],
  },
  plataforma_audit_log_broken: {
    kind: 'gauge',
    help: '1 while a hash chain of a service differs from the heads that other services store.',
    labels: ['of', 'chain'],
  },
  plataforma_audit_epochs_begun_alone: {
    kind: 'gauge',
    help: 'Epochs of audit logs that a single operator has started within the last hour.',
    labels: [],
  },
  plataforma_operator_factors_reset: {
    kind: 'gauge',
    help: 'Second factors of operators that were removed beside the database within the last hour.',
    labels: [],
  },
  plataforma_operator_passkeys: {
    kind: 'gauge',
    help:
      'Within the last hour: passkeys that operators added, and answers refused because the number of uses ' +
      'went back.',
    labels: ['event'],
  },
  plataforma_audit_log_checked_seconds: {
    kind: 'gauge',
    help:
      'Time since a hash chain of a service was compared with the heads that other services store, up to ' +
      'its end; if never, since it is known.',
    labels: ['of', 'chain'],
  },
  plataforma_chain_unanchored_seconds: {
    kind: 'gauge',
    help:
      'Time for which a hash chain had rows that fewer than two other services anchor, by the last ' +
      'comparison.',
    labels: ['of', 'chain'],
  },
});
