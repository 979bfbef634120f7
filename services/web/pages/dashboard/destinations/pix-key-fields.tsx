import { normalisePixKey, type PixKeyType, possiblePixKeyTypes } from '@plataforma/brcode/pix-key';
import { pixKey, pixKeyType } from '@plataforma/contracts/fields';
import { useState } from 'react';
import { z } from 'zod';
import { Field, Select } from '../../components/field/field.tsx';
import { FormRow, named, textIn } from '../../components/form/form.tsx';
import { useWords } from '../../shared/language.ts';
import { optionsOf } from '../options.ts';
import { destinationWords } from './words.ts';

/** A key with its type. The form checks the key before the next step, as the API does afterwards. */
export const typedKey = z
  .object({ pixKeyType, pixKey })
  .refine((key) => normalisePixKey(key.pixKeyType, key.pixKey) !== null, { path: ['pixKey'] });

/** Reads both fields. Text that is no key counts as a random key, so only the key's field gets an error. */
export function pixKeyIn(data: FormData): z.infer<typeof typedKey> {
  const key = textIn(data, 'pixKey');
  const isOpen = possiblePixKeyTypes(key).length > 1;
  const type = textIn(data, 'pixKeyType') || (isOpen ? 'UNKNOWN' : 'EVP');
  return { pixKeyType: type as PixKeyType, pixKey: key };
}

/**
 * Fields for a Pix key and its type. The type follows the typed key until the user corrects it. If the key
 * can be a CPF and a phone, the user must choose.
 */
export function PixKeyFields() {
  const words = useWords(destinationWords);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<string>();
  const possible: readonly string[] = possiblePixKeyTypes(typed);
  const isOpen = possible.length > 1;
  function type(text: string): void {
    const types: readonly string[] = possiblePixKeyTypes(text);
    if (text === '' || (chosen && types.length > 0 && !types.includes(chosen))) setChosen(undefined);
    setTyped(text);
  }
  const recognized = possible.length === 1 ? possible[0] : '';
  return (
    <FormRow>
      <Field
        {...named(words, 'pixKey')}
        value={typed}
        onChange={(event) => type(event.target.value)}
        hint={words.pixKeyExamples}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={77}
        required
      />
      <Select
        {...named(words, 'pixKeyType')}
        value={chosen ?? recognized}
        onChange={(event) => setChosen(event.target.value || undefined)}
        hint={isOpen && !chosen ? words.cpfOrPhone : words.correctable}
        data-corrects="pixKey"
        options={[{ value: '', label: isOpen ? words.choose : words.byKey }, ...optionsOf(words.keyTypes)]}
      />
    </FormRow>
  );
}
