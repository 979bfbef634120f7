/** What express and its body parsers reject before our code runs carries the status it wants. */
export function isOfFramework(error: unknown): boolean {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500;
}
