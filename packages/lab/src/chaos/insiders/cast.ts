import { changeRows } from '@plataforma/testing/insiders';
import { Pool } from 'undici';
import { earn, earnByCard } from '../actors/acts/selling.ts';
import { type Client, clientOf, type Line } from '../actors/client.ts';
import { fixed } from '../actors/credentials.ts';
import { openMerchant, openOperator, requireDone } from '../actors/merchants.ts';
import { paceOf } from '../actors/pace.ts';
import type { Dice } from '../dice.ts';
import type { History } from '../history.ts';
import type { World } from '../world/world.ts';
import type { InsiderCast } from './people.ts';

interface OpenCast {
  world: Pick<World, 'platform' | 'bank'>;
  admin: Client;
  history: History;
  dice: Dice;
}

const CALLS_A_SECOND = 30;
/** The numbers of the insiders' merchants. Their settings remove the limits of new merchants. */
const NUMBERS = { own: 8, victim: 12, forged: 16 };
const FORGED_BALANCE = 100_000;

/** Creates the operators and merchants of the insiders while the installation has a single operator. */
export async function openCast({ world, admin, history, dice }: OpenCast): Promise<InsiderCast> {
  const { platform, bank } = world;
  const pool = new Pool(platform.facts.baseUrl, { connections: null, keepAliveTimeout: 3_000 });
  const line: Line = { pool, history, pace: paceOf(CALLS_A_SECOND) };
  const hire = (name: string, role: 'ADMIN' | 'FINANCE') =>
    openOperator(line, admin, { name: `insider ${name}`, role });
  const [finance, insider] = [await hire('finance', 'FINANCE'), await hire('admin', 'ADMIN')];
  const [puppet, honest] = [await hire('puppet', 'ADMIN'), await hire('honest', 'ADMIN')];
  const open = (number: number) => openMerchant(line, admin, number);
  const merchants = {
    own: await open(NUMBERS.own),
    victim: await open(NUMBERS.victim),
    forged: await open(NUMBERS.forged),
  };
  const nobody = clientOf(line, 'insider', fixed());
  await earn({ api: merchants.forged.api.sandbox, bank, dice }, FORGED_BALANCE);
  await earnByCard({ api: merchants.forged.api.sandbox, dice });
  const body = { merchantId: merchants.forged.id, environment: 'sandbox', amount: 1_000, reason: 'penhora' };
  const blocks = { action: 'block-money', method: 'POST', path: '/v1/admin/ledger/blocks', body } as const;
  requireDone(await admin.ask({ ...blocks, intent: dice.uuid(), again: 'by key' }));
  const people = { finance, admin: insider, puppet, honest };
  await letTimePass(world, people);
  return { ...people, merchants, bank, nobody, close: () => pool.destroy() };
}

/**
 * Backdates all operators by 90 days, so that they may approve, but the puppet by two days. From then on the
 * installation counts as one with several operators.
 */
async function letTimePass(
  { platform }: Pick<World, 'platform'>,
  { admin, puppet }: Pick<InsiderCast, 'admin' | 'puppet'>,
): Promise<void> {
  const sql = `
    UPDATE operators SET
      created_at = now() - make_interval(days => CASE id WHEN $1 THEN 2 ELSE 90 END),
      created_by = CASE id WHEN $1 THEN $2 ELSE created_by END`;
  await changeRows(platform, 'gateway', { sql, values: [puppet.id, admin.id] });
}
