import { keepPreviousData, type QueryKey, queryOptions } from '@tanstack/react-query';
import { POLL_MS } from '../../shared/live.ts';

interface Listed {
  data: readonly unknown[];
}

interface ListQuery<Answer extends Listed> {
  key: QueryKey;
  read: () => Promise<Answer>;
  /**
   * `true` polls every 15 seconds. A function polls only while the list contains a row for which it returns
   * true.
   */
  poll?: true | ((row: Answer['data'][number]) => boolean);
}

/** Returns the query of one page of a list. The previous page stays visible until the next page is read. */
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
