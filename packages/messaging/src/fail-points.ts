import { failPointsOf, situationsOf } from '@plataforma/observe';

export const failPoint = failPointsOf({
  'outbox.published': 'the broker has confirmed events, they are not marked',
  'inbox.committed': 'events are applied and committed, not acknowledged',
  'event.given_up': 'an event cannot be applied, its dead letter is not published',
  'letter.kept': 'a dead letter is in the database, not acknowledged',
});

export const situation = situationsOf([
  'batch split by poison',
  'event kept that no queue took',
  'dead letter replayed',
]);
