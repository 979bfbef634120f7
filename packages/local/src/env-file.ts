/** Node takes everything between two of them as it is. */
const QUOTES = ["'", '`'];

/** The text of a file that Node reads with `--env-file`. */
export function envFile(settings: Record<string, string>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${quoted(name, value)}\n`)
    .join('');
}

function quoted(name: string, value: string): string {
  const quote = QUOTES.find((each) => !value.includes(each));
  if (quote === undefined || value.includes('\n'))
    throw new Error(
      `${name} has both kinds of quotes (' and \`) or an end of line in it: choose another value`,
    );
  return quote + value + quote;
}
