import { useState } from 'react';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { Select } from '../../parts/field/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { Secret } from '../../parts/secret/secret.tsx';
import { useChange } from '../../shared/keyed.ts';
import { catalogue, useWords } from '../../shared/language.ts';

const GRACES = { none: 0, hour: 3_600, day: 86_400, week: 604_800 } as const;
type Grace = keyof typeof GRACES;

const graceWords = catalogue({
  none: ['Até agora', 'No longer'],
  hour: ['Por mais 1 hora', 'For 1 more hour'],
  day: ['Por mais 24 horas', 'For 24 more hours'],
  week: ['Por mais 7 dias', 'For 7 more days'],
});

interface Props {
  title: string;
  text: string;
  words: { grace: string; rotate: string; secretTitle: string };
  /** How long the old secret may still work; the first one is chosen. */
  graces: readonly [Grace, ...Grace[]];
  /** Returns the new secret. */
  send: (body: { gracePeriodSeconds: number }, idempotencyKey: string) => Promise<string>;
  changes: readonly string[];
  onClose: () => void;
}

/** Replaces a secret, and shows the new one once. */
export function RotateDialog({ title, text, words, graces, send, changes, onClose }: Props) {
  const names = useWords(graceWords);
  const [secret, setSecret] = useState<string>();
  const change = useChange({ send, changes, onDone: setSecret });
  if (secret !== undefined) return <NewSecret title={words.secretTitle} value={secret} onClose={onClose} />;
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        read={(data) => ({
          gracePeriodSeconds: GRACES[graces.find((each) => each === data.get('grace')) ?? graces[0]],
        })}
        change={change}
        action={words.rotate}
        onCancel={onClose}
      >
        <p>{text}</p>
        <Select
          label={words.grace}
          name="grace"
          options={graces.map((value) => ({ value, label: names[value] }))}
        />
      </Form>
    </Dialog>
  );
}

/** Only the dialog's own button closes it, because the secret is not shown again. */
export function NewSecret({ title, value, onClose }: { title: string; value: string; onClose: () => void }) {
  return (
    <Dialog title={title} isClosable={false} onClose={onClose}>
      <Secret value={value} onDone={onClose} />
    </Dialog>
  );
}
