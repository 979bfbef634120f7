import { failPointsOf, situationsOf } from '@plataforma/observe';

export const failPoint = failPointsOf({
  'answer.due': 'a request is done, its response is not sent',
  'keyed_answer.due': 'a request with a key is done and its response saved, the response is not sent',
});

/**
 * Rare situations that a test cannot see from outside. The function reports to the test that a situation has
 * occurred.
 */
export const situation = situationsOf(['request in progress refused', 'request overtaken by the same one']);
