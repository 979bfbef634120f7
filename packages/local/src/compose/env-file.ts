/** As Node reads it with `--env-file`: in quotes, between which everything means itself. */
export function envFile(settings: Record<string, string>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}='${demandQuotable(name, value)}'\n`)
    .join('');
}

function demandQuotable(name: string, value: string): string {
  if (/['\n]/.test(value)) throw new Error(`${name} has a quote or an end of line in it`);
  return value;
}
