import type { Link } from '../network/link.ts';
import { openLink } from '../network/link.ts';

/**
 * What each process finds behind these of its settings. A browser's and the migrations' ways are not among them, nor those of
 * addresses that it is told later: of codes, and of the merchants' endpoints.
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

/** Lays a link into each of a process's connections: the settings that go through them, and the links. */
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
    // An origin is written without the slash that URL adds.
    rewired[variable] = env[variable]?.endsWith('/') ? url.href : url.href.replace(/\/$/, '');
  }
  return { env: rewired, links };
}
