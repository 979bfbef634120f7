import { failPointsOf, situationsOf } from '@plataforma/observe';

export const failPoint = failPointsOf({
  'commit.due': 'a transaction has run all its statements, COMMIT is not sent',
  'commit.done': 'a transaction is committed, whoever asked for it does not know',
});

/** Rare situations that no caller can observe. */
export const sometimes = situationsOf(['pool exhausted']);
