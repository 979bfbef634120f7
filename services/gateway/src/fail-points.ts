import { failPointsOf } from '@plataforma/observe';

/** The steps of the gateway after which the death of a process matters: what is done and not done there. */
export const failPoint = failPointsOf({
  'merchant.stored': 'a merchant is written and announced, not committed',
  'key.minted': 'an API key is written, not committed',
  'status.changed': 'a merchant’s status is written and announced, not committed',
  'clock.moved': 'the clock of a sandbox is moved, what falls due by it may not have happened',
  'request.forwarded': 'a service has answered a request, the caller has not been',
});
