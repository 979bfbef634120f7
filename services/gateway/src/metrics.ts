import { defineMetrics } from '@plataforma/observe';

export const metrics = defineMetrics({
  plataforma_circuit_open: {
    kind: 'gauge',
    help: '1 while this gateway turns a class of callers of a service away, because the service did not answer them.',
    labels: ['to', 'callers'],
  },
  plataforma_request_log_lost_total: {
    kind: 'counter',
    help: 'Lines of the request log that were not written: too many waited, or were of one merchant, the database refused them, or the process stopped.',
    labels: ['cause'],
  },
  plataforma_audit_log_broken: {
    kind: 'gauge',
    help: '1 while a chain of hashes of a service is not the one whose heads other services keep.',
    labels: ['of', 'chain'],
  },
  plataforma_audit_epochs_begun_alone: {
    kind: 'gauge',
    help: 'How many epochs of audit logs one operator has begun alone within the last hour.',
    labels: [],
  },
  plataforma_audit_log_checked_seconds: {
    kind: 'gauge',
    help: 'How long ago a chain of hashes of a service was compared with what others keep, and followed to its end; if never, for how long it is known.',
    labels: ['of', 'chain'],
  },
  plataforma_chain_unanchored_seconds: {
    kind: 'gauge',
    help: 'For how long rows were found in a chain of hashes, when last compared, of which fewer than two others keep anything.',
    labels: ['of', 'chain'],
  },
});
