import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { buttonClass } from '../../components/button/button.tsx';
import { Icon } from '../../components/icon/icon.tsx';
import { Menu, MenuItem } from '../../components/menu/menu.tsx';
import { toast } from '../../components/toast/toast.tsx';
import { ApiError } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { useErrorText } from '../../shared/refusals.ts';
import { type Change, useChange } from '../changes/use-change.ts';
import { sandboxWords } from './words.ts';

/** An action in the sandbox that plays the role of a payer or of a bank. */
export interface Play {
  label: string;
  /** The text that confirms the action. */
  done: string;
  send: (idempotencyKey: string) => Promise<unknown>;
}

interface Props extends Pick<Change<undefined, unknown>, 'changes'> {
  plays: readonly Play[];
}

/**
 * A menu of sandbox actions. Until an action is answered, a second click repeats the same request. A later
 * click sends a new request.
 */
export function PlayMenu({ plays, changes }: Props) {
  const words = useWords(sandboxWords);
  const [round, setRound] = useState(0);
  if (plays.length === 0) return null;
  const label = (
    <>
      <Icon name="sandbox" />
      <span>{words.play}</span>
      <Icon name="down" />
    </>
  );
  return (
    <Menu label={label} labelClass={buttonClass()}>
      {plays.map((play) => (
        <PlayItem
          key={`${play.label} ${round}`}
          {...{ play, changes }}
          onDone={() => setRound((before) => before + 1)}
        />
      ))}
    </Menu>
  );
}

interface ItemProps {
  play: Play;
  changes: readonly string[];
  onDone: () => void;
}

export function isOver(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'INVALID_STATE';
}

/**
 * An action in the menu. A refusal means that the page is out of date, so the page reads the changed
 * resources again.
 */
function PlayItem({ play, changes, onDone }: ItemProps) {
  const words = useWords(sandboxWords);
  const errorText = useErrorText();
  const client = useQueryClient();
  const { mutate } = useChange({
    send: (_: undefined, idempotencyKey) => play.send(idempotencyKey),
    changes,
    onFailed: (error) => {
      toast(isOver(error) ? words.over : errorText(error));
      for (const resource of changes) void client.invalidateQueries({ queryKey: [resource] });
    },
    done: play.done,
    onDone,
  });
  return <MenuItem onClick={() => mutate(undefined)}>{play.label}</MenuItem>;
}
