/** Of a table in Markdown with two columns. */
export const rows = (entries: readonly (readonly [string, string])[]) =>
  entries.map(([name, meaning]) => `| ${name} | ${meaning} |`).join('\n');
