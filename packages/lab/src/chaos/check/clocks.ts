import type { Call } from '../history.ts';
import { isDone } from './calls.ts';
import { type Evidence, rowsOf } from './evidence.ts';
import { doubled, type Finding, lost, violation } from './finding.ts';

type Moved = { id: string; login: string; ahead: number };

const MOVED = `
  SELECT o.id, u.email AS login, o.sandbox_ahead_ms AS ahead FROM organizations o JOIN users u
  ON u.organization_id = o.id
  WHERE o.sandbox_ahead_ms > 0`;
const SERVICE_CLOCKS = 'SELECT merchant_id AS id, ahead_ms AS ahead FROM sandbox_clocks';

const MS_OF = new Map([
  ['PT10M', 600_000],
  ['PT3H', 3 * 3_600_000],
  ['P1D', 86_400_000],
  ['P3D', 3 * 86_400_000],
]);

/**
 * Invariants 5 and 8. Checks that each acknowledged move of a sandbox clock counts once, and that every
 * service has the same clock as the gateway.
 */
export async function checkClocks({ databases, calls }: Evidence): Promise<Finding[]> {
  const moved = await rowsOf<Moved>(databases.gateway, MOVED);
  const moves = calls.filter(({ method, path }) => method === 'POST' && path === '/v1/sandbox/clock');
  const actors = new Map(
    calls.filter(({ path }) => path === '/v1/auth/register').map(({ actor, body }) => [body?.email, actor]),
  );
  const findings = moved.flatMap(({ id, login, ahead }) => {
    const own = moves.filter(({ actor }) => actor === actors.get(login));
    const [least, most] = [sumOf(own.filter(isDone)), sumOf(own)];
    const what = `the clock of merchant ${id} is ${ahead} ms ahead`;
    if (ahead < least) return [lost(5, `${what}, and moves of ${least} ms were acknowledged`)];
    return ahead > most ? [doubled(5, `${what}, and moves of ${most} ms were asked for`)] : [];
  });
  for (const service of ['charges', 'withdrawals', 'ledger'] as const) {
    const aheadByMerchant = new Map(
      (await rowsOf<Moved>(databases[service], SERVICE_CLOCKS)).map(({ id, ahead }) => [id, ahead]),
    );
    for (const { id, ahead } of moved.filter((one) => aheadByMerchant.get(one.id) !== one.ahead)) {
      const knows = aheadByMerchant.get(id) ?? 0;
      findings.push(
        violation(8, `the clock of merchant ${id} is ${ahead} ms ahead, and ${knows} ms in ${service}`),
      );
    }
  }
  return findings;
}

/** Returns the sum of the moves in milliseconds. All calls with the same intent count as one move. */
function sumOf(moves: readonly Call[]): number {
  const each = new Map(moves.map(({ intent, body }) => [intent, MS_OF.get(String(body?.advance)) ?? 0]));
  return [...each.values()].reduce((sum, ms) => sum + ms, 0);
}
