import type { Scope } from '@plataforma/contracts';

/** Returns the rows of a table in Markdown with two columns. */
export const rows = (entries: readonly (readonly [string, string])[]) =>
  entries.map(([name, meaning]) => `| ${name} | ${meaning} |`).join('\n');

const opens: Record<Scope, string> = {
  'charges:write': 'all of charges: create, cancel, refund, answer disputes, read',
  'charges:read': 'reading charges, refunds, disputes and unexpected payments',
  'wallet:read': 'reading balance, statement, receivables, withdrawals and destinations',
  'withdrawals:write': 'all of withdrawals and their destinations',
  'refunds:write': 'of charges, refunding them and reading refunds',
  'disputes:write': 'of charges, reading disputes and answering them',
  'webhooks:write': 'all of webhooks, rotating a secret included',
  'events:read': 'reading all events of `GET /v1/events`',
};

/** The guide's section on scopes. */
export const keyScopes = `## What a key may do

| Scope | Opens |
| --- | --- |
${rows(Object.entries(opens).map(([scope, what]) => [`\`${scope}\``, what] as const))}

A key whose scopes are not chosen has the first four; the others are for keys that are to do less. A key that writes charges
or withdrawals configures webhooks, too, but rotates no secret without \`webhooks:write\`. Keys that were made before there
was this scope still do, and the list of keys shows it with them. The first four and \`webhooks:write\` read webhooks and their
deliveries. \`GET /v1/events\` takes any key, and shows it what its scopes may read. A scope that is missing is a 403
\`INSUFFICIENT_SCOPE\` that names it; each endpoint lists those it takes.`;
