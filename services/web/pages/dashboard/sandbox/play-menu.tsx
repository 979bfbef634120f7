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

/** What a merchant of the sandbox plays in the place of a payer or a bank. */
export interface Play {
  label: string;
  /** What is said when it is done. */
  done: string;
  send: (idempotencyKey: string) => Promise<unknown>;
}

interface Props extends Pick<Change<undefined, unknown>, 'changes'> {
  plays: readonly Play[];
}

/** Each play is one request, whatever is clicked twice, until it is done: played again, it is another one. */
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

/** Refused since the page shows what is no longer so: it reads anew what has changed in another window, or by itself. */
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
