/**
 * Defines the points at which a test may kill or stop a process, each with a description of the state there.
 * Each point is at one place in the code, and an unknown name does not compile. The returned function does
 * nothing, unless Node runs with `--conditions=faults`.
 */
export function failPointsOf<const Points extends Readonly<Record<string, string>>>(points: Points) {
  return Object.assign((_name: keyof Points & string): void => {}, { points });
}

/**
 * Defines rare situations that are invisible from outside. The returned function reports to a test that one
 * has occurred. It does nothing, unless Node runs with `--conditions=faults`.
 */
export function situationsOf<const Situations extends readonly string[]>(situations: Situations) {
  return Object.assign((_name: Situations[number]): void => {}, { situations });
}
