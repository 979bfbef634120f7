import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { toast } from '../../components/toast/toast.tsx';
import { ApiError, isPassing } from '../../shared/api.ts';
import { findPending, forgetPending, savePending } from '../../shared/pending-changes.ts';

const TRIES = 3;
const PAUSE_MS = 5_000;

export interface Change<Input, Output> {
  send: (input: Input, idempotencyKey: string) => Promise<Output>;
  /** The names of the queries that the change makes stale. */
  changes: readonly string[];
  /** The text that the page shows for a few seconds after the change. */
  done?: string | ((output: Output) => string) | undefined;
  /**
   * Called after the change. A callback that navigates to another page returns a promise that resolves after
   * the navigation.
   */
  onDone?: (output: Output) => void | Promise<void>;
  /** Called after the change, when the page has loaded the data of all queries in `changes` again. */
  onShown?: () => void;
  /** Called when the last attempt has failed. */
  onFailed?: (error: Error) => void;
  /** Changes with the same scope run one after the other. */
  scope?: string;
  resume?: Resume<Input>;
}

/**
 * The data with which a form on its own page resumes an interrupted request after a reload, with the same
 * Idempotency-Key.
 */
interface Resume<Input> {
  form: string;
  account: string | undefined;
  read: (saved: unknown) => Input | undefined;
}

/**
 * Sends a change with one Idempotency-Key for each opened form. A second click, or a retry after a lost
 * answer, then makes the change only once. A corrected form gets a new key after a refusal.
 */
export function useChange<Input, Output>({
  send,
  changes,
  done,
  onDone,
  onShown,
  onFailed,
  scope,
  resume,
}: Change<Input, Output>) {
  const client = useQueryClient();
  const pending = useRef(resume && findPending(resume.form, resume.account));
  const [isResumed] = useState(Boolean(pending.current));
  const key = useRef<string>(undefined);
  key.current ??= pending.current?.key ?? crypto.randomUUID();
  const change: UseMutationResult<Output, Error, Input> = useMutation({
    mutationFn: (input) => {
      const { form, account } = resume ?? {};
      if (form && account) savePending(form, { key: key.current ?? '', account, input });
      return send(input, key.current ?? '');
    },
    ...(scope !== undefined && { scope: { id: scope } }),
    retry: (count, error) => count < TRIES && isPassing(error),
    retryDelay: (_count, error) => pauseAfter(error),
    onSuccess: async (output) => {
      if (done) toast(typeof done === 'string' ? done : done(output));
      await onDone?.(output);
      if (resume) forgetPending(resume.form);
      await Promise.all(changes.map((resource) => client.invalidateQueries({ queryKey: [resource] })));
      onShown?.();
    },
    onError: (error) => {
      onFailed?.(error);
      if (!(error instanceof ApiError) || isPassing(error) || error.status === 401) return;
      key.current = undefined;
      if (resume) forgetPending(resume.form);
    },
  });
  const { mutate } = change;
  useEffect(() => {
    const input = pending.current ? resume?.read(pending.current.input) : undefined;
    pending.current = undefined;
    if (input !== undefined) mutate(input);
  }, [resume, mutate]);
  return { ...change, isResuming: isResumed && change.isPending };
}

export function pauseAfter(error: unknown): number {
  const retryAfter = error instanceof ApiError ? error.retryAfter : null;
  return retryAfter === null ? PAUSE_MS : retryAfter * 1_000;
}
