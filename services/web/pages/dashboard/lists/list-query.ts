import { keepPreviousData, type QueryKey, queryOptions } from '@tanstack/react-query';
import { POLL_MS } from '../../shared/live.ts';

interface Listed {
  data: readonly unknown[];
}

interface ListQuery<Answer extends Listed> {
  key: QueryKey;
  read: () => Promise<Answer>;
  /** Reads the list every 15 seconds: always, or while it has such a row. */
  poll?: true | ((row: Answer['data'][number]) => boolean);
}

/** Reads a page of a list. The previous page stays visible during the read. */
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
