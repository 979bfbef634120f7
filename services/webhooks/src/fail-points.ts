import { failPointsOf, situationsOf } from '@plataforma/observe';

/** The steps after which tests kill a process. Each text says which work is done then and which is not. */
export const failPoint = failPointsOf({
  'delivery.leased': 'a delivery is leased, its endpoint has no request',
  'delivery.answered': 'an attempt has succeeded or failed, the result is not recorded',
  'results.recorded': 'results of deliveries are committed',
  'secret.rotated': 'a new signing secret is written, not committed',
});

/** Rare situations that tests must reach but that no API shows. */
export const situation = situationsOf(['late delivery result fenced']);
