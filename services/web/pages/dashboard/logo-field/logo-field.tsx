import { type ChangeEvent, useRef, useState } from 'react';
import { Button } from '../../components/button/button.tsx';
import { Field } from '../../components/field/field.tsx';
import layout from '../../components/layout.module.css';
import { useWords } from '../../shared/language.ts';
import { logoWords } from './words.ts';

interface Props {
  /** The logo as a data URI. */
  logo: string | null;
  emptyText?: string | undefined;
  clearLabel: string;
  onChange: (logo: string | null) => void;
}

/** A field that accepts an image of any size and reduces it to a logo. */
export function LogoField({ logo, emptyText, clearLabel, onChange }: Props) {
  const words = useWords(logoWords);
  const [wrong, setWrong] = useState<string>();
  const field = useRef<HTMLInputElement>(null);

  async function choose({ target: { files } }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const [file] = files ?? [];
    if (!file) return;
    const { logoOf } = await import('./logo-of.ts');
    const chosen = await logoOf(file).catch(() => null);
    setWrong(chosen === null ? words.wrong : undefined);
    if (chosen !== null) onChange(chosen);
  }

  /** The pressed button disappears, so the focus moves to the field. */
  function clear(): void {
    if (field.current) field.current.value = '';
    field.current?.focus();
    onChange(null);
  }

  return (
    <div className={layout.choice}>
      <Field
        ref={field}
        label={words.logo}
        name="logo"
        type="file"
        accept="image/png,image/jpeg,image/webp"
        hint={emptyText ? `${emptyText} ${words.hint}` : words.hint}
        error={wrong}
        required={false}
        onChange={(event) => void choose(event)}
      />
      {logo !== null && (
        <Button size="small" kind="quiet" icon="trash" onClick={clear}>
          {clearLabel}
        </Button>
      )}
    </div>
  );
}
