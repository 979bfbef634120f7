/** Texts that `pnpm lint` accepts as they are, each with a reason; at most ten. */
export const exceptions: readonly { path: string; text: string; reason: string }[] = [
  {
    path: 'packages/lab/src/mutants/RESULTS.md',
    text: 'told',
    reason: 'The record of a run quotes code and test titles of its commit.',
  },
];
