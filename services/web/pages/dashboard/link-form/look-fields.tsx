import { type ChangeEvent, useRef, useState } from 'react';
import { Button } from '../../parts/button/button.tsx';
import { Field } from '../../parts/field/field.tsx';
import { FormRow } from '../../parts/form/form.tsx';
import { useWords } from '../../shared/language.ts';
import { useAccount } from '../session/session.ts';
import styles from './link-form.module.css';
import { linkFormWords } from './words.ts';

/** How a link's page looks, apart from its words. */
export interface Look {
  /** Null: the account's. */
  color: string | null;
  /** A data URI. */
  logo: string | null;
}

export function useLook(atFirst: Look) {
  const [look, setLook] = useState(atFirst);
  const changeLook = (changed: Partial<Look>) => setLook((before) => ({ ...before, ...changed }));
  return { look, changeLook };
}

interface Props {
  look: Look;
  onChange: (changed: Partial<Look>) => void;
}

export function LookFields({ look, onChange }: Props) {
  const words = useWords(linkFormWords);
  const account = useAccount()?.checkoutColor ?? '#000000';
  const [wrong, setWrong] = useState<string>();
  const colourField = useRef<HTMLInputElement>(null);
  const fileField = useRef<HTMLInputElement>(null);

  /** The button that was pressed is gone: the focus goes to the field beside it. */
  function clear(cleared: Partial<Look>, field: HTMLInputElement | null): void {
    if (field?.type === 'file') field.value = '';
    field?.focus();
    onChange(cleared);
  }

  async function choose({ target: { files } }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const [file] = files ?? [];
    if (!file) return;
    const { logoOf } = await import('./logo-of.ts');
    const logo = await logoOf(file).catch(() => null);
    setWrong(logo === null ? words.logoWrong : undefined);
    if (logo !== null) onChange({ logo });
  }

  return (
    <FormRow>
      <div className={styles.choice}>
        <Field
          ref={colourField}
          label={words.colour}
          name="color"
          type="color"
          hint={words.colourHint}
          value={look.color ?? account}
          onChange={({ target: { value } }) => onChange({ color: value === account ? null : value })}
        />
        {look.color !== null && (
          <Button size="small" kind="quiet" onClick={() => clear({ color: null }, colourField.current)}>
            {words.accountColour}
          </Button>
        )}
      </div>
      <div className={styles.choice}>
        <Field
          ref={fileField}
          label={words.logo}
          name="logo"
          type="file"
          accept="image/png,image/jpeg,image/webp"
          hint={words.logoHint}
          error={wrong}
          required={false}
          onChange={(event) => void choose(event)}
        />
        {look.logo !== null && (
          <Button
            size="small"
            kind="quiet"
            icon="trash"
            onClick={() => clear({ logo: null }, fileField.current)}
          >
            {words.removeLogo}
          </Button>
        )}
      </div>
    </FormRow>
  );
}
