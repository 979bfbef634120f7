/** Quotes between which Node reads every character of an env file's value literally. */
const QUOTES = ["'", '`'];

/**
 * Returns the text of a file for Node's `--env-file`. Throws if Node would read a value differently from the
 * given one.
 */
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
