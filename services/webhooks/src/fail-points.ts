import { failPointsOf, situationsOf } from '@plataforma/observe';

/** The steps after which the death of a process matters; each text says what is done and what is not. */
export const failPoint = failPointsOf({
  'delivery.leased': 'a delivery is leased, its endpoint has no request',
  'delivery.answered': 'an attempt has succeeded or failed, the result is not recorded',
  'results.recorded': 'results of deliveries are committed',
  'secret.rotated': 'a new signing secret is written, not committed',
});

/** Rare situations of webhooks that no interface shows. */
export const sometimes = situationsOf(['late delivery result fenced']);
