import { failPointsOf, situationsOf } from '@plataforma/observe';

export const failPoint = failPointsOf({
  'answer.due': 'what was asked is done, the answer is not sent',
  'keyed_answer.due': 'what was asked with a key is done and its answer kept, the answer is not sent',
});

/** Rare situations that no caller can observe. */
export const sometimes = situationsOf(['request in progress refused', 'request overtaken by the same one']);
