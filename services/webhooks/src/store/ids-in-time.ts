/** Smaller than every id that is made from `at` on: a UUID v7 begins with its time in milliseconds, 48 bits of it. */
export function firstIdOf(at: Date): string {
  const time = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}
