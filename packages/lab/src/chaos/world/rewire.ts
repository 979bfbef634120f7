import type { Link } from '../network/link.ts';
import { openLink } from '../network/link.ts';

/**
 * The server behind each setting that gets a link. Settings of browsers, migrations, Pix code locations and
 * merchants' endpoints get no link.
 */
const callees: Record<string, Pick<Link, 'kind'> & { to: string }> = {
  DATABASE_URL: { kind: 'database', to: 'database' },
  AMQP_URL: { kind: 'broker', to: 'broker' },
  CHARGES_URL: { kind: 'service', to: 'charges' },
  WITHDRAWALS_URL: { kind: 'service', to: 'withdrawals' },
  LEDGER_URL: { kind: 'service', to: 'ledger' },
  WEBHOOKS_URL: { kind: 'service', to: 'webhooks' },
  GATEWAY_INTERNAL_URL: { kind: 'service', to: 'gateway' },
  PIX_SANDBOX_URL: { kind: 'provider', to: 'Pix provider' },
  CARD_SANDBOX_URL: { kind: 'provider', to: 'acquirer' },
  SANDBOX_CONTROL_URL: { kind: 'provider', to: 'payer of simulations' },
  PAYOUT_SANDBOX_URL: { kind: 'provider', to: 'payout provider' },
  PIX_PRODUCTION_URL: { kind: 'provider', to: 'Pix provider of production' },
  CARD_PRODUCTION_URL: { kind: 'provider', to: 'acquirer of production' },
  PAYOUT_PRODUCTION_URL: { kind: 'provider', to: 'payout provider of production' },
};

/** Opens a link for each server that a process calls. Returns the changed settings and the links. */
export async function rewire(
  process: string,
  env: Record<string, string>,
): Promise<{ env: Record<string, string>; links: Link[] }> {
  const links: Link[] = [];
  const rewired = { ...env };
  for (const [variable, { kind, to }] of Object.entries(callees)) {
    const url = URL.parse(env[variable] ?? '');
    if (!url) continue;
    const link = await openLink({ name: `${process} → ${to}`, kind, targetPort: Number(url.port) });
    links.push(link);
    url.port = String(link.port);
    // Removes the slash that `URL` adds to an address without a path.
    rewired[variable] = env[variable]?.endsWith('/') ? url.href : url.href.replace(/\/$/, '');
  }
  return { env: rewired, links };
}
