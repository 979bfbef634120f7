import type { ServiceName } from '@plataforma/contracts';
import { cursorOf, type Page, positionOf, type Slice } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';

interface Order {
  at: string;
  id: string;
}

interface Dependencies<Item, Service extends ServiceName> {
  services: readonly Service[];
  /**
   * Returns the newest items of a service, newest first. If the request has a cursor, returns only items
   * after the cursor. Resolves to null if the service did not answer.
   */
  ask: (service: Service, newest: number) => Promise<Pick<Page<Item>, 'items' | 'total'> | null>;
  /** Returns an item's time in milliseconds and its id, by which items are sorted. */
  orderOf: (item: Item) => Order;
}

/** The maximum number of items to request from one service. */
const MOST = 10_000;

/**
 * Returns one page of the items of all services, newest first. Throws SERVICE_UNAVAILABLE if a service does
 * not answer, because its items would be missing.
 */
export async function newestOfAll<Item, Service extends ServiceName>(
  { services, ask, orderOf }: Dependencies<Item, Service>,
  { page: requestedPage, limit, after }: Slice,
): Promise<Page<Item>> {
  const position = after === undefined ? null : positionOf(after, 2);
  const page = position?.page ?? requestedPage;
  const skipped = position ? 0 : (page - 1) * limit;
  const newest = Math.min(skipped + limit + 1, MOST);
  const answers = await Promise.all(
    services.map(async (service) => (await ask(service, newest)) ?? silent(service)),
  );
  const found = answers
    .flatMap(({ items }) => items)
    .toSorted((one, other) => (isNewer(orderOf(one), orderOf(other)) ? -1 : 1))
    .slice(skipped);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return {
    total: answers.reduce((sum, answer) => sum + answer.total, 0),
    items,
    page,
    ...(last && found.length > limit ? { next: cursorBehind(orderOf(last), page) } : {}),
  };
}

function cursorBehind({ at, id }: Order, page: number): string {
  return cursorOf({ page: page + 1, values: [at, id] });
}

function isNewer(one: Order, other: Order): boolean {
  return one.at === other.at ? one.id > other.id : one.at > other.at;
}

export function silent(service: ServiceName): never {
  const message = `there was no answer from ${service}; try again`;
  throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', message);
}
