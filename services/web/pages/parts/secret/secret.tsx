import { useState } from 'react';
import { useWords } from '../../shared/language.ts';
import { Button } from '../button/button.tsx';
import { Checkbox } from '../field/choices.tsx';
import { FormActions } from '../form/form.tsx';
import { Json } from '../json/json.tsx';
import { Notice } from '../states/states.tsx';
import { partWords } from '../words.ts';
import styles from './secret.module.css';

/** Shown once: it can be left only by who says that it is saved. */
export function Secret({ value, onDone }: { value: string; onDone: () => void }) {
  const words = useWords(partWords);
  const [isSaved, setSaved] = useState(false);
  return (
    <div className={styles.secret}>
      <Notice tone="warn">{words.once}</Notice>
      <Json text={value} />
      <Checkbox label={words.saved} checked={isSaved} onChange={(event) => setSaved(event.target.checked)} />
      <FormActions>
        <Button kind="primary" disabled={!isSaved} onClick={onDone}>
          {words.done}
        </Button>
      </FormActions>
    </div>
  );
}
