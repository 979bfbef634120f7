import { defineMetrics } from '@plataforma/observe';

/** What is measured of the services behind, and of their audit logs. */
export const metrics = defineMetrics({
  plataforma_circuit_open: {
    kind: 'gauge',
    help: '1 while this gateway turns a class of callers of a service away, because the service did not answer them.',
    labels: ['to', 'callers'],
  },
  plataforma_audit_log_broken: {
    kind: 'gauge',
    help: '1 while the audit log of a service is not the one whose hashes are kept here.',
    labels: ['of'],
  },
  plataforma_audit_epochs_begun_alone: {
    kind: 'gauge',
    help: 'How many epochs of audit logs one operator has begun alone within the last hour.',
    labels: [],
  },
  plataforma_audit_log_checked_seconds: {
    kind: 'gauge',
    help: 'How long ago the audit log of a service was followed from its anchor to its end.',
    labels: ['of'],
  },
});
