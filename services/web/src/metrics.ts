import { defineMetrics } from '@plataforma/observe';

export const metrics = defineMetrics({
  plataforma_web_streams: {
    kind: 'gauge',
    help: 'Open pages that receive live updates.',
    labels: [],
  },
  plataforma_web_broker_connected: {
    kind: 'gauge',
    help: '1 while events arrive; at 0, pages only see changes when they poll, every 15 seconds.',
    labels: [],
  },
  plataforma_web_policy_reports_total: {
    kind: 'counter',
    help:
      'Reports of browsers on content that the policy of a page blocked; `extension` if an extension of ' +
      'the browser inserted it.',
    labels: ['page', 'directive', 'blocked'],
  },
  plataforma_web_checkout_script: {
    kind: 'gauge',
    help: '1, with the digest of each script of the checkout (its pages, the card form) that browsers verify.',
    labels: ['script', 'digest'],
  },
});
