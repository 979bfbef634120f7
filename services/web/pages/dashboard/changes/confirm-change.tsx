import type { ComponentProps } from 'react';
import { Confirm } from '../../parts/dialog/dialog.tsx';
import { toast } from '../../parts/toast/toast.tsx';
import { useChange } from '../../shared/keyed.ts';

interface Props extends Omit<ComponentProps<typeof Confirm>, 'busy' | 'error' | 'onConfirm'> {
  send: () => Promise<unknown>;
  /** Resources whose data on the page is out of date afterwards. */
  changes: readonly string[];
  /** Shown for some seconds when the change is made. */
  done: string;
  /** Called in the place of `onClose` when the change is made. */
  onDone?: () => void;
}

/** Asks once more before a change, makes it, and closes. */
export function ConfirmChange({ send, changes, done, onDone, ...dialog }: Props) {
  const { mutate, error, isPending } = useChange({
    send,
    changes,
    onDone: () => {
      toast(done);
      (onDone ?? dialog.onClose)();
    },
  });
  return <Confirm {...dialog} busy={isPending} error={error} onConfirm={() => mutate(undefined)} />;
}
