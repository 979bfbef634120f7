import type { PlatformFacts } from './platform.ts';

type Facts = Pick<PlatformFacts, 'baseUrl' | 'webUrl' | 'operator' | 'demo'>;

/** The summary begins with the dashboard, because its pages link to everything else. */
function dashboardOf(webUrl: string, { email, password }: Facts['demo']): string {
  return `
  dashboard    ${webUrl}/test
  log in as    ${email}   ${password}
  to install   ${webUrl}/downloads/    (SDK, command line, MCP server, with their SHA-256)
`;
}

export function summaryOf({ baseUrl, webUrl, operator, demo }: Facts, readiness: string): string {
  const order = {
    amount: 2500,
    externalId: 'order-1',
    payerName: 'Maria da Silva',
    payerDocument: '12345678909',
  };
  return `
Plataforma is ready ${readiness}
${webUrl ? dashboardOf(webUrl, demo) : ''}
  gateway      ${baseUrl}    (documentation: ${baseUrl}/docs)
  operator     ${operator.email}   ${operator.password}
               second factor (TOTP): ${operator.totpSecret}
               npm run -s operator prints the body of a log-in at POST /v1/admin/auth/login
  demo shop    ${demo.email}   ${demo.password}
  sandbox key  ${demo.sandboxKey}
  live key     ${demo.liveKey}
               No real money moves: on your machine the live provider is the sandbox provider too,
               and webhooks may go to http and private addresses.

A first charge. POST /v1/charges/{id}/simulate-payment then pays it, and GET /v1/balance shows the money:

curl -s ${baseUrl}/v1/charges -H 'X-API-Key: ${demo.sandboxKey}' -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(order)}'
`;
}
