import { type ComponentProps, useState } from 'react';
import { Button } from '../../components/button/button.tsx';
import { Dialog } from '../../components/dialog/dialog.tsx';
import { Checkbox } from '../../components/field/choices.tsx';
import { Form, FormActions } from '../../components/form/form.tsx';
import { Json } from '../../components/json/json.tsx';
import layout from '../../components/layout.module.css';
import { Notice } from '../../components/states/states.tsx';
import { partWords } from '../../components/words.ts';
import { useWords } from '../../shared/language.ts';
import { type Change, useChange } from './use-change.ts';

interface Props<Body extends object, Answer>
  extends Omit<ComponentProps<typeof Form<Body>>, 'change' | 'onCancel' | 'kind'>,
    Pick<Change<Body, Answer>, 'send' | 'changes' | 'done'> {
  title: string;
  action: string;
  /**
   * The title of a secret and the function that reads it from the answer. The secret replaces the form and is
   * shown only once.
   */
  secret?: { title: string; of: (answer: Answer) => string };
  onDone?: ((answer: Answer) => void) | undefined;
  /** False while the fields contain values that the form can't send. */
  isReady?: boolean;
  onClose: () => void;
}

/** A dialog with a form. The dialog closes when the change has succeeded. */
export function FormDialog<Body extends object, Answer>({
  title,
  send,
  changes,
  done,
  secret,
  onDone,
  isReady = true,
  onClose,
  ...form
}: Props<Body, Answer>) {
  const [shown, show] = useState<string>();
  const change = useChange({
    send,
    changes,
    done,
    onDone: (answer: Answer) => {
      onDone?.(answer);
      if (secret) show(secret.of(answer));
      else onClose();
    },
  });
  if (secret && shown !== undefined)
    return <NewSecret title={secret.title} value={shown} onClose={onClose} />;
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        {...form}
        change={{ ...change, mutate: (body) => isReady && change.mutate(body) }}
        onCancel={onClose}
      />
    </Dialog>
  );
}

/** Shows a secret once. The dialog closes only after the user confirms that the secret is saved. */
function NewSecret({ title, value, onClose }: { title: string; value: string; onClose: () => void }) {
  const words = useWords(partWords);
  const [isSaved, setSaved] = useState(false);
  return (
    <Dialog title={title} isClosable={false} onClose={onClose}>
      <div className={layout.stack}>
        <Notice tone="warn">{words.once}</Notice>
        <Json text={value} />
        <Checkbox label={words.saved} checked={isSaved} onChange={({ target }) => setSaved(target.checked)} />
        <FormActions>
          <Button kind="primary" disabled={!isSaved} onClick={onClose}>
            {words.done}
          </Button>
        </FormActions>
      </div>
    </Dialog>
  );
}
