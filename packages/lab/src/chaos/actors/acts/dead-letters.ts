import type { Client } from '../client.ts';
import { type Act, type ActContext, atOnce } from './act.ts';

/** The services that consume events and have dead letters. */
const listeners = ['charges', 'withdrawals', 'ledger', 'webhooks'] as const;

const PAGE = 100;

type Listener = (typeof listeners)[number];

interface Letter {
  service: Listener;
  id: string;
}

/**
 * Lists the dead letters of one page. A letter without an event id is left out, because an unreadable message
 * can't be replayed.
 */
async function lettersOf(operator: Client, service: Listener, page: number): Promise<Letter[] | null> {
  const path = `/v1/admin/${service}/dead-letters?replayed=false&limit=${PAGE}&page=${page}`;
  const { isDone, list } = await operator.read('list-dead-letters', path);
  if (!isDone || list.length === 0) return null;
  return list.filter(({ eventId }) => eventId !== null).map(({ id }) => ({ service, id: String(id) }));
}

export async function lettersOfAll(operator: Client): Promise<Letter[]> {
  const all: Letter[] = [];
  for (const service of listeners) {
    for (let page = 1; ; page += 1) {
      const letters = await lettersOf(operator, service, page);
      if (!letters) break;
      all.push(...letters);
    }
  }
  return all;
}

/**
 * Replays a dead letter. A replay has an effect at most once. The service refuses an invalid message and
 * changes nothing.
 */
export function replay(operator: Client, { service, id }: Letter, intent: string) {
  return operator.ask({
    ...{
      action: 'replay-dead-letter',
      method: 'POST',
      path: `/v1/admin/${service}/dead-letters/${id}/replay`,
    },
    ...{ body: { reason: 'outra vez' }, intent, again: 'as it is' },
  });
}

/** Two operators replay the same dead letter in parallel. */
async function replaySome({ operators, dice }: ActContext): Promise<void> {
  const service = dice.pick(listeners);
  const [share, ...intents] = [dice.next(), dice.uuid(), dice.uuid()] as const;
  const letters = (await lettersOf(operators[0], service, 1)) ?? [];
  const letter = letters[Math.floor(share * letters.length)];
  if (!letter) return;
  await atOnce(2, (number) => replay(operators[number === 1 ? 0 : 1], letter, `${intents[number - 1]}`));
}

export const deadLetters: readonly Act[] = [{ name: 'replay a dead letter', weight: 1, play: replaySome }];
