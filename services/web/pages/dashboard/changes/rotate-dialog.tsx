import type { ComponentProps } from 'react';
import { Select } from '../../components/field/field.tsx';
import { catalogue, useWords } from '../../shared/language.ts';
import { optionsOf } from '../options.ts';
import { FormDialog } from './form-dialog.tsx';

const GRACES = { none: 0, hour: 3_600, day: 86_400, week: 604_800 } as const;
type Grace = keyof typeof GRACES;

const graceWords = catalogue({
  none: ['Até agora', 'No longer'],
  hour: ['Por mais 1 hora', 'For 1 more hour'],
  day: ['Por mais 24 horas', 'For 24 more hours'],
  week: ['Por mais 7 dias', 'For 7 more days'],
});

type Rotation = ComponentProps<typeof FormDialog<{ gracePeriodSeconds: number }, string>>;

interface Props extends Pick<Rotation, 'title' | 'send' | 'changes' | 'onClose'> {
  text: string;
  words: { grace: string; rotate: string; secretTitle: string };
  /** The periods for which the old secret may stay valid. The first period is the default. */
  graces: readonly [Grace, ...Grace[]];
}

/** A dialog that replaces a secret. `send` returns the new secret, which the dialog shows only once. */
export function RotateDialog({ text, words, graces, ...dialog }: Props) {
  const names = useWords(graceWords);
  return (
    <FormDialog
      {...dialog}
      read={(data) => ({
        gracePeriodSeconds: GRACES[graces.find((each) => each === data.get('grace')) ?? graces[0]],
      })}
      action={words.rotate}
      secret={{ title: words.secretTitle, of: (secret) => secret }}
    >
      <p>{text}</p>
      <Select label={words.grace} name="grace" options={optionsOf(names, graces)} />
    </FormDialog>
  );
}
