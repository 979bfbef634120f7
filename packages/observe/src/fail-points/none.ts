/**
 * Where a process may be made to die or to stop, by names with what is done and not done there; each at one place in the
 * code. The answer does nothing, unless Node runs with `--conditions=faults`; a name that is not among them does not
 * compile.
 */
export function failPointsOf<const Points extends Readonly<Record<string, string>>>(points: Points) {
  return Object.assign((_name: keyof Points & string): void => {}, { points });
}

/**
 * Rare situations that nothing outside can see: the answer tells a test that one has come about. It does nothing, unless
 * Node runs with `--conditions=faults`.
 */
export function situationsOf<const Situations extends readonly string[]>(situations: Situations) {
  return Object.assign((_name: Situations[number]): void => {}, { situations });
}
