import { EndOfAct } from '../actors/acts/act.ts';
import { decideProposal } from '../actors/approver.ts';
import type { Answer, Client, ClientRequest, Thing } from '../actors/client.ts';
import { isProposal } from '../actors/client.ts';
import type { Dice } from '../dice.ts';
import type { World } from '../world/world.ts';
import type { InsiderCast } from './people.ts';

export interface AttemptContext {
  world: Pick<World, 'platform' | 'serviceUrls' | 'insiders' | 'dataDir'>;
  cast: InsiderCast;
  dice: Dice;
}

/** An action of an insider. `play` returns the harm that was done, in words, and cleans up. */
export interface Attempt {
  name: string;
  play(context: AttemptContext): Promise<string[]>;
}

/** Returns the answer. Ends the attempt if it is missing or a 5xx, for example during another fault. */
export function decided(answer: Answer): Answer {
  if (answer.status === null || answer.status >= 500) throw new EndOfAct(`${answer.status} ${answer.code}`);
  return answer;
}

type Order = Pick<ClientRequest, 'method' | 'path'> & { body?: Thing };

export function order(
  { dice }: Pick<AttemptContext, 'dice'>,
  operator: Client,
  { body, ...request }: Order,
): Promise<Answer> {
  const again = request.method === 'PATCH' ? 'as it is' : 'by key';
  const sent = {
    action: 'insider-orders',
    ...request,
    ...(body && { body }),
    intent: dice.uuid(),
    again,
  } as const;
  return operator.ask(sent);
}

/**
 * Sends a change that needs a second operator. The proposer and the accomplices then try to approve it.
 * Reports harm if the change is made, or if the platform shows no proposal of it.
 */
export async function proposeAlone(
  context: AttemptContext,
  {
    by,
    accomplices = [],
    what,
    request,
  }: { by: Client; accomplices?: Client[]; what: string; request: Order },
): Promise<string[]> {
  const answer = await order(context, by, request);
  if (answer.isDone && !isProposal(answer)) return [`an operator alone ${what}`];
  if (!isProposal(decided(answer))) return [noProposal(what, answer)];
  const { id } = answer.data;
  const harm: string[] = [];
  for (const approver of [by, ...accomplices]) {
    const approved = await decideProposal(approver, id, 'approve');
    if (approved.isDone) harm.push(`an operator alone ${what}, by an approval in another name`);
  }
  const shown = await context.cast.honest.client.read('read-proposal', `/v1/admin/proposals/${id}`);
  if (shown.isDone && shown.data.status !== 'PROPOSED')
    harm.push(`${what}: its proposal is ${shown.data.status}`);
  if (shown.status === 404) harm.push(`${what}: the platform shows no proposal`);
  await decideProposal(context.cast.honest.client, id, 'reject');
  return harm;
}

function noProposal(what: string, { status, code }: Answer): string {
  return `an operator who ${what} was answered ${status} ${code} instead of a proposal`;
}
