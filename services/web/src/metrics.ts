import { defineMetrics } from '@plataforma/observe';

/** The metrics of the pages: open streams, policy reports and the scripts of the checkout. */
export const metrics = defineMetrics({
  plataforma_web_streams: {
    kind: 'gauge',
    help: 'Pages that are told at once when something changes.',
    labels: [],
  },
  plataforma_web_broker_connected: {
    kind: 'gauge',
    help: '1 while events come in; at 0 pages see changes only when they ask, every 15 seconds.',
    labels: [],
  },
  plataforma_web_policy_reports_total: {
    kind: 'counter',
    help: "Reports of browsers on what a page's policy has stopped; of `extension` where a browser's extension put it there.",
    labels: ['page', 'directive', 'blocked'],
  },
  plataforma_web_checkout_script: {
    kind: 'gauge',
    help: '1, with the digest of each script of the checkout (its pages, the form of a card), as browsers verify it.',
    labels: ['script', 'digest'],
  },
});
