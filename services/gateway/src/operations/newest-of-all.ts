import type { TimelineService } from '@plataforma/contracts';
import type { Page, Slice } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';

interface Parts<Item, Service extends TimelineService> {
  services: readonly Service[];
  /** Answers the newest, newest first. Null: the service did not answer. */
  ask: (service: Service, newest: number) => Promise<Page<Item> | null>;
  /** Of two items the newer one has the greater of these. */
  orderOf: (item: Item) => string;
}

/** As many as are asked for from each service: enough for any page of the newest. */
const MOST = 10_000;

/** One page of what the services have, newest first. Refused when one does not answer: its part would be missing. */
export async function newestOfAll<Item, Service extends TimelineService>(
  { services, ask, orderOf }: Parts<Item, Service>,
  { page, limit }: Slice,
): Promise<Page<Item>> {
  const newest = Math.min(page * limit, MOST);
  const parts = await Promise.all(
    services.map(async (service) => (await ask(service, newest)) ?? silent(service)),
  );
  const items = parts
    .flatMap((part) => part.items)
    .toSorted((one, other) => {
      const [left, right] = [orderOf(one), orderOf(other)];
      return left < right ? 1 : left > right ? -1 : 0;
    });
  return {
    total: parts.reduce((sum, part) => sum + part.total, 0),
    items: items.slice((page - 1) * limit, page * limit),
  };
}

export function silent(service: TimelineService): never {
  const message = `there was no answer from ${service}; try again`;
  throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', message);
}
