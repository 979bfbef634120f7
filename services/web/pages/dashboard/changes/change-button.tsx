import type { ComponentProps } from 'react';
import { Button } from '../../parts/button/button.tsx';
import { toast } from '../../parts/toast/toast.tsx';
import { useChange } from '../../shared/keyed.ts';
import { useErrorText } from '../../shared/refusals.ts';

interface Props extends Pick<ComponentProps<typeof Button>, 'kind' | 'size' | 'children'> {
  send: (idempotencyKey: string) => Promise<unknown>;
  /** Resources whose data on the page is out of date afterwards. */
  changes: readonly string[];
  /** Shown for some seconds when the change is made. */
  done: string;
}

/** Makes a change at once, and shows for some seconds how it ended. */
export function ChangeButton({ send, changes, done, ...button }: Props) {
  const errorText = useErrorText();
  const { mutate, isPending } = useChange({
    send: (_: undefined, idempotencyKey) => send(idempotencyKey),
    changes,
    onFailed: (error) => toast(errorText(error)),
    onDone: () => toast(done),
  });
  return <Button {...button} busy={isPending} onClick={() => mutate(undefined)} />;
}
