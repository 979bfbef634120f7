import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError, isPassing } from './api.ts';

const TRIES = 3;
const PAUSE_MS = 5_000;

interface Change<Input, Output> {
  send: (input: Input, idempotencyKey: string) => Promise<Output>;
  /** Resources whose data on the page is out of date afterwards. */
  changes: readonly string[];
  onDone?: (output: Output) => void;
}

/**
 * A change with one Idempotency-Key from the moment its form opens: a second click, a lost answer and another try make
 * nothing twice. A refusal has decided, so that the corrected form is another request.
 */
export function useChange<Input, Output>({ send, changes, onDone }: Change<Input, Output>) {
  const client = useQueryClient();
  const key = useRef<string>(undefined);
  key.current ??= crypto.randomUUID();
  const change: UseMutationResult<Output, Error, Input> = useMutation({
    mutationFn: (input) => send(input, key.current ?? ''),
    retry: (count, error) => count < TRIES && isPassing(error),
    retryDelay: (_count, error) => pauseAfter(error),
    onSuccess: async (output) => {
      onDone?.(output);
      await Promise.all(changes.map((resource) => client.invalidateQueries({ queryKey: [resource] })));
    },
    onError: (error) => {
      if (error instanceof ApiError && !isPassing(error) && error.status !== 401) key.current = undefined;
    },
  });
  return change;
}

export function pauseAfter(error: unknown): number {
  const told = error instanceof ApiError ? error.retryAfter : null;
  return told === null ? PAUSE_MS : told * 1_000;
}
