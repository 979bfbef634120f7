import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Notice, Skeleton } from '../components/states/states.tsx';
import { failureWords } from '../shared/error-words.ts';
import { useWords } from '../shared/language.ts';
import { Failed } from './failed.tsx';
import { Slow } from './slow.tsx';

interface Props<Data> {
  of: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch' | 'failureReason' | 'isPaused'>;
  /** The number of placeholder lines, as many as the content will have. */
  lines?: number | undefined;
  children: (data: Data) => ReactNode;
}

/**
 * Shows a placeholder, and then the data or the error of the read. The data stays visible during a later
 * read.
 */
export function Read<Data>({ of, lines = 5, children }: Props<Data>) {
  const { data, error, refetch, failureReason, isPaused } = of;
  const words = useWords(failureWords);
  if (data !== undefined) return children(data);
  if (error) return <Failed error={error} retry={refetch} />;
  return (
    <>
      {(failureReason || isPaused) && <Notice tone="warn">{words.retrying}</Notice>}
      <Skeleton lines={lines} />
      {!failureReason && !isPaused && <Slow />}
    </>
  );
}
