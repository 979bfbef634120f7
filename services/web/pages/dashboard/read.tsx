import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Notice, Skeleton } from '../components/states/states.tsx';
import { failureWords } from '../shared/error-words.ts';
import { useWords } from '../shared/language.ts';
import { Failed } from './failed.tsx';

interface Props<Data> {
  of: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch' | 'failureReason' | 'isPaused'>;
  /** The lines of the skeleton, as many as the content will have. */
  lines?: number | undefined;
  children: (data: Data) => ReactNode;
}

/** Shows a placeholder, then the data (also during another read), or the error. */
export function Read<Data>({ of, lines = 5, children }: Props<Data>) {
  const { data, error, refetch, failureReason, isPaused } = of;
  const words = useWords(failureWords);
  if (data !== undefined) return children(data);
  if (error) return <Failed error={error} retry={refetch} />;
  return (
    <>
      {(failureReason || isPaused) && <Notice tone="warn">{words.retrying}</Notice>}
      <Skeleton lines={lines} />
    </>
  );
}
