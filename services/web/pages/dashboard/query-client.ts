import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isPassing } from '../shared/api.ts';
import { pauseAfter } from './changes/use-change.ts';
import { recordSessionEnd } from './session/ended.ts';

const TRIES = 3;
const FRESH_MS = 5_000;

/**
 * An error of the account query is excluded, because without a session the log-in page opens and not the
 * log-in dialog.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      if (queryKey[0] !== 'account') recordSessionEnd(error);
    },
  }),
  mutationCache: new MutationCache({ onError: recordSessionEnd }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (failures, error) => failures < TRIES && isPassing(error),
      retryDelay: (_failures, error) => pauseAfter(error),
    },
  },
});
