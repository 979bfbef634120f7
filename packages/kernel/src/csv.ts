type CsvValue = string | number | null;

/** One line of a file as RFC 4180 has it, with its end. Null is an empty field. */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(field).join(',')}\r\n`;
}

const NUMBER = /^[+-]?\d+(\.\d+)?$/;

/** A spreadsheet runs text that begins like a formula, and a merchant's order number may have come from anyone. */
function field(value: CsvValue): string {
  const text = String(value ?? '');
  const harmless = /^[=+\-@\t\r]/.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
