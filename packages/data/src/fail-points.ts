import { failPointsOf, situationsOf } from '@plataforma/observe';

export const failPoint = failPointsOf({
  'commit.due': 'a transaction has run all its statements, COMMIT is not sent',
  'commit.done': 'a transaction is committed, its caller does not know it',
});

/**
 * Rare situations that a test cannot see from outside. The function reports to the test that a situation has
 * occurred.
 */
export const situation = situationsOf(['pool exhausted']);
