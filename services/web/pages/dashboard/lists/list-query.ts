import { keepPreviousData, type QueryKey, queryOptions } from '@tanstack/react-query';
import { POLL_MS } from '../../shared/live.ts';

interface Listed {
  data: readonly unknown[];
}

interface ListQuery<Answer extends Listed> {
  key: QueryKey;
  read: () => Promise<Answer>;
  /** Reads the list again every 15 seconds: always, or while such a row is in it. */
  poll?: true | ((row: Answer['data'][number]) => boolean);
}

/** A page of a list, which stays on the screen while the next one is read. */
export function listQuery<Answer extends Listed>({ key, read, poll }: ListQuery<Answer>) {
  return queryOptions({
    queryKey: key,
    queryFn: read,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const isPolled = typeof poll === 'function' ? state.data?.data.some(poll) : poll;
      return isPolled ? POLL_MS : false;
    },
  });
}
