type CsvValue = string | number | null;

/** Between fields. Where decimals have a comma, lines are split at semicolons. */
type Separator = ',' | ';';

/** One line of a file as RFC 4180 has it, with its end. Null is an empty field. */
export function csvLine(values: readonly CsvValue[], separator: Separator = ','): string {
  return `${values.map((value) => field(value, separator)).join(separator)}\r\n`;
}

const NUMBERS = { ',': /^[+-]?\d+(\.\d+)?$/, ';': /^[+-]?\d+(,\d+)?$/ };

/** A spreadsheet runs text that begins like a formula, and a merchant's order number may have come from anyone. */
function field(value: CsvValue, separator: Separator): string {
  const text = String(value ?? '');
  const harmless = /^[=+\-@\t\r]/.test(text) && !NUMBERS[separator].test(text) ? `'${text}` : text;
  const isQuoted = /["\r\n]/.test(harmless) || harmless.includes(separator);
  return isQuoted ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
