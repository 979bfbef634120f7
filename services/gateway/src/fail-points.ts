import { failPointsOf } from '@plataforma/observe';

/** The steps after which tests kill a process. Each text says which work is done then and which is not. */
export const failPoint = failPointsOf({
  'merchant.stored': 'a merchant is written and announced, not committed',
  'key.minted': 'an API key is written, not committed',
  'status.changed': 'a merchant’s status is written and announced, not committed',
  'clock.moved': 'the clock of a sandbox is moved, work that is now due may not be done',
  'request.forwarded': 'a service has answered a request, its caller has no response',
});
