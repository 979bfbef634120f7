import { expect, test } from '@jest/globals';
import { isExcepted } from '../../src/words/exceptions.ts';

test('an exception of a name accepts only this whole name in its files', () => {
  const path = 'services/ledger/src/store/book-checks.ts';

  expect(isExcepted(path, { rule: 'name', text: 'turn' })).toBe(true);
  expect(isExcepted(path, { rule: 'name', text: 'turns' })).toBe(false);
  expect(isExcepted(path, { rule: 'word', text: 'in doubt, returned' })).toBe(false);
  expect(isExcepted(path, { rule: 'sentence', text: 'turn' })).toBe(false);
  expect(isExcepted('services/charges/src/charge.ts', { rule: 'name', text: 'turn' })).toBe(false);
});
