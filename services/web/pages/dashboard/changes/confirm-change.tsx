import { type ComponentProps, useState } from 'react';
import { Button } from '../../components/button/button.tsx';
import { Confirm } from '../../components/dialog/dialog.tsx';
import { type Change, useChange } from './use-change.ts';

interface Props
  extends Omit<ComponentProps<typeof Confirm>, 'busy' | 'error' | 'onConfirm'>,
    Pick<Change<undefined, unknown>, 'changes' | 'done'> {
  send: () => Promise<unknown>;
  /** Called instead of `onClose` when the change is made. */
  onDone?: () => void;
}

/** Asks for confirmation, makes the change and closes. */
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
  /** False when the object can't have this change now. An open dialog stays and shows its refusal. */
  isOffered?: boolean;
}

/** A button for a change, and the dialog that confirms it. */
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
