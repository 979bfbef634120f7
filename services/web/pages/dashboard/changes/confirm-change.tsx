import { type ComponentProps, useState } from 'react';
import { Button } from '../../components/button/button.tsx';
import { Confirm } from '../../components/dialog/dialog.tsx';
import { type Change, useChange } from './use-change.ts';

interface Props
  extends Omit<ComponentProps<typeof Confirm>, 'busy' | 'error' | 'onConfirm'>,
    Pick<Change<undefined, unknown>, 'changes' | 'done'> {
  send: () => Promise<unknown>;
  /** Called in place of `onClose` when the change has succeeded. */
  onDone?: () => void;
}

/** A dialog that asks for confirmation, makes the change and closes itself. */
export function ConfirmChange({ send, changes, done, onDone, ...dialog }: Props) {
  const { mutate, error, isPending } = useChange({
    send,
    changes,
    done,
    onDone: onDone ?? dialog.onClose,
  });
  return <Confirm {...dialog} busy={isPending} error={error} onConfirm={() => mutate(undefined)} />;
}

interface ButtonProps extends Pick<ComponentProps<typeof Button>, 'kind'>, Omit<Props, 'onClose'> {
  /**
   * False when the object's state does not allow this change. An already open dialog stays open and shows the
   * API's refusal.
   */
  isOffered?: boolean;
}

/** A button for a change, with the dialog that asks for confirmation. */
export function ConfirmButton({ kind, isOffered = true, ...change }: ButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {isOffered && (
        <Button {...(kind && { kind })} onClick={() => setOpen(true)}>
          {change.action}
        </Button>
      )}
      {isOpen && <ConfirmChange {...change} onClose={() => setOpen(false)} />}
    </>
  );
}
