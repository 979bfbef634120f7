import type { Evidence } from './evidence.ts';
import { type Finding, violation } from './finding.ts';

/** 10. Who does not know the secret in the address of a callback is not the bank: nothing is taken from him. */
export async function checkLetters({ letters = [] }: Evidence): Promise<Finding[]> {
  return letters.flatMap(({ path: known, answers }) =>
    answers
      .filter(({ path, status }) => path !== known && status !== null && status < 300)
      .map(({ path, status }) =>
        violation(10, `a callback with a wrong secret, to ${path}, was answered ${status}`),
      ),
  );
}
