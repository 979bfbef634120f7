import { readFile, writeFile } from 'node:fs/promises';

const beginningOf = (name: string) => `<!-- ${name}: written by the command, from here -->`;
const endOf = (name: string) => `<!-- ${name}: to here -->`;

/**
 * Replaces the text between the two markers of `name` in a Markdown file. The text outside the markers stays.
 */
export async function writeMeasuredPart(file: URL, name: string, text: string): Promise<void> {
  await writeFile(file, withMeasuredPart(await readFile(file, 'utf8'), name, text));
}

function withMeasuredPart(before: string, name: string, text: string): string {
  const [beginning, end] = [beginningOf(name), endOf(name)];
  const from = before.indexOf(beginning);
  const to = before.indexOf(end);
  if (from < 0 || to < from) throw new Error(`there is no part between ${beginning} and ${end}`);
  return `${before.slice(0, from)}${beginning}\n\n${text.trim()}\n\n${before.slice(to)}`;
}
