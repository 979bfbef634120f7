import type { DoctoredMemory } from './doctored-memory.ts';

const told = (path: string, status: number | null) => ({ path, at: 0, status });
const address = (secret: string) => `/callbacks/pix/${secret}`;

/** Other callbacks. */
export const doctoredLetters: DoctoredMemory[] = [
  {
    name: 'somebody who knew no secret was believed',
    doctor: (evidence) => ({
      ...evidence,
      letters: [
        {
          ...{ path: address('known'), body: '', how: 'forged', receivedAt: 0 },
          answers: [told(address('known'), 200), told(address('guessed'), 200)],
        },
      ],
    }),
    invariants: [10],
    finds: /^a callback with a wrong secret, to .callbacks.pix.guessed, was answered 200/,
  },
];
