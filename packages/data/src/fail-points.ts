import { failPointsOf, situationsOf } from '@plataforma/observe';

export const failPoint = failPointsOf({
  'commit.due': 'a transaction has run all its statements, COMMIT is not sent',
  'commit.done': 'a transaction is committed, whoever asked for it does not know',
});

/** Rare situations of a transaction that nothing outside can see. */
export const sometimes = situationsOf(['pool exhausted']);
