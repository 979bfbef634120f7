import type { Scope } from '@plataforma/contracts';

export const rows = (entries: readonly (readonly [string, string])[]) =>
  entries.map(([name, meaning]) => `| ${name} | ${meaning} |`).join('\n');

const opens: Record<Scope, string> = {
  'charges:write': 'all charge operations: create, cancel, refund, answer disputes, read',
  'charges:read': 'reading charges, refunds, disputes and unexpected payments',
  'wallet:read': 'reading the balance, the statement, receivables, withdrawals and destinations',
  'withdrawals:write': 'all operations on withdrawals and their destinations',
  'refunds:write': 'refunding charges and reading refunds',
  'disputes:write': 'reading and answering disputes',
  'webhooks:write': 'all webhook operations, including the rotation of a secret',
  'events:read': 'reading all events of `GET /v1/events`',
};

export const keyScopes = `## Key scopes

| Scope | Allows |
| --- | --- |
${rows(Object.entries(opens).map(([scope, what]) => [`\`${scope}\``, what] as const))}

A key without chosen scopes has the first four. The other scopes are for keys with fewer permissions. A key
that writes charges or withdrawals can also configure webhooks, but rotates a secret only with
\`webhooks:write\`. Keys that were created before this scope existed can still rotate a secret, and the list
of keys includes the scope for them. The first four scopes and \`webhooks:write\` allow reading webhooks and
their deliveries. \`GET /v1/events\` accepts any key and returns the events that its scopes may read. A
missing scope is a 403 \`INSUFFICIENT_SCOPE\` that names the scope. Each endpoint lists the scopes that it
accepts.`;
