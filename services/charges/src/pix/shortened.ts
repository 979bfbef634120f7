/** Cut, and not through the middle of a character. */
export function shortened(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
}
