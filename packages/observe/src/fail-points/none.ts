/**
 * Defines fail points, at which a test may kill or suspend a process. Each name has a description of the
 * state at that point, and is used at one place in the code. An unknown name does not compile. The returned
 * function does nothing unless Node runs with `--conditions=faults`.
 */
export function failPointsOf<const Points extends Readonly<Record<string, string>>>(points: Points) {
  return Object.assign((_name: keyof Points & string): void => {}, { points });
}

/**
 * Defines rare situations that a test cannot see from outside. The returned function reports to the test that
 * the situation has occurred. It does nothing unless Node runs with `--conditions=faults`.
 */
export function situationsOf<const Situations extends readonly string[]>(situations: Situations) {
  return Object.assign((_name: Situations[number]): void => {}, { situations });
}
