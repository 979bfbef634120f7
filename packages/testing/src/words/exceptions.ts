/**
 * Texts that `pnpm lint` accepts although they break a rule, each with the reason. The list has at most ten
 * texts.
 */
export const exceptions: readonly { path: string; text: string; reason: string }[] = [
  {
    path: 'packages/lab/src/mutants/RESULTS.md',
    text: 'told',
    reason: 'The record of a run quotes code and test titles of its commit.',
  },
  {
    path: 'packages/lab/src/chaos/RESULTS.md',
    text: '031_failing_endpoints',
    reason: 'The record of a run lists the migrations between its two commits.',
  },
];
