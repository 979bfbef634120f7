import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { toast } from '../../components/toast/toast.tsx';
import { ApiError, isPassing } from '../../shared/api.ts';
import { findPending, forgetPending, savePending } from '../../shared/pending-changes.ts';

const TRIES = 3;
const PAUSE_MS = 5_000;

export interface Change<Input, Output> {
  send: (input: Input, idempotencyKey: string) => Promise<Output>;
  /** Resources whose data on the page is out of date afterwards. */
  changes: readonly string[];
  /** Shown for some seconds when the change is made. */
  done?: string | ((output: Output) => string) | undefined;
  /** Ends when the page has gone on, if it does. */
  onDone?: (output: Output) => void | Promise<void>;
  /** When the page has read anew what it shows. */
  onShown?: () => void;
  /** After the last try. */
  onFailed?: (error: Error) => void;
  /** Changes of one scope are made one after the other. */
  scope?: string;
  resume?: Resume<Input>;
}

/** Of a form that is a page of its own: what was on its way when the page was reloaded goes on, with its key. */
interface Resume<Input> {
  form: string;
  account: string | undefined;
  read: (saved: unknown) => Input | undefined;
}

/**
 * A change with one Idempotency-Key from the moment its form opens: a second click, a lost answer and another try make
 * nothing twice. A refusal has decided, so that the corrected form is another request.
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
