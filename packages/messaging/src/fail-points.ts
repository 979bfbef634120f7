import { failPointsOf, situationsOf } from '@plataforma/observe';

/** The steps of an event on its way after which the death of a process matters: what is done and not done there. */
export const failPoint = failPointsOf({
  'outbox.published': 'the broker has confirmed events, they are not marked',
  'inbox.committed': 'events are applied and committed, not acknowledged',
  'event.given_up': 'an event can’t be applied, the broker is not told to set it aside',
  'letter.kept': 'a dead letter is in the database, not acknowledged',
});

/** Rare situations of an event on its way that nothing outside can see. */
export const sometimes = situationsOf([
  'batch split by poison',
  'event kept that no queue took',
  'dead letter replayed',
]);
