import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Skeleton } from '../parts/states/states.tsx';
import { Failed } from './failed.tsx';

interface Props<Data> {
  of: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;
  /** Of the skeleton, as many as there will be. */
  lines?: number;
  children: (data: Data) => ReactNode;
}

/** What is read: its lines at first, then itself, also while it is read again; or why it could not be read. */
export function Read<Data>({ of: { data, error, refetch }, lines = 5, children }: Props<Data>) {
  if (data !== undefined) return children(data);
  return error ? <Failed error={error} retry={refetch} /> : <Skeleton lines={lines} />;
}
