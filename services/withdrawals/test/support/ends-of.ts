import type { DomainEvent } from '@plataforma/events';
import type { World } from './world.ts';

export async function endsOf(world: World, id: string): Promise<DomainEvent[]> {
  return (await world.eventsOf(id)).filter(({ type }) => type !== 'withdrawal.processing');
}
