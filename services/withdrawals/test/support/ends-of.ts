import type { DomainEvent } from '@plataforma/events';
import type { World } from './world.ts';

/** Returns the events of the end of a withdrawal. */
export async function endsOf(world: World, id: string): Promise<DomainEvent[]> {
  return (await world.eventsOf(id)).filter(({ type }) => type !== 'withdrawal.processing');
}
