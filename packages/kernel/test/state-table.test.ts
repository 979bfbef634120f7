import { describe, expect, test } from '@jest/globals';
import { next, Refusal, requireNext, type Table } from '../src/index.ts';

const valve: Table<'OPEN' | 'CLOSED', 'open' | 'close'> = {
  OPEN: { close: 'CLOSED' },
  CLOSED: { open: 'OPEN' },
};

describe('a state table', () => {
  test('gives the next state, or null', () => {
    expect(next(valve, 'OPEN', 'close')).toBe('CLOSED');
    expect(next(valve, 'OPEN', 'open')).toBeNull();
  });

  test('refuses an impossible verb with a message', () => {
    const message = 'the door is OPEN and can’t be changed so';

    expect(requireNext(valve, { noun: 'door', status: 'CLOSED' }, 'open')).toBe('OPEN');
    expect(() => requireNext(valve, { noun: 'door', status: 'OPEN' }, 'open')).toThrow(
      new Refusal('conflict', 'INVALID_STATE', message),
    );
  });
});
