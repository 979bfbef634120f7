import type { ComponentProps } from 'react';
import { Button } from '../../components/button/button.tsx';
import { toast } from '../../components/toast/toast.tsx';
import { useErrorText } from '../../shared/refusals.ts';
import { type Change, useChange } from './use-change.ts';

interface Props
  extends Pick<ComponentProps<typeof Button>, 'kind' | 'size' | 'children'>,
    Pick<Change<undefined, unknown>, 'changes' | 'done'> {
  send: (idempotencyKey: string) => Promise<unknown>;
}

/** A button that makes a change immediately and shows the result for a few seconds. */
export function ChangeButton({ send, changes, done, ...button }: Props) {
  const errorText = useErrorText();
  const { mutate, isPending } = useChange({
    send: (_: undefined, idempotencyKey) => send(idempotencyKey),
    changes,
    onFailed: (error) => toast(errorText(error)),
    done,
  });
  return <Button {...button} busy={isPending} onClick={() => mutate(undefined)} />;
}
