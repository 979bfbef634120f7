import { Field, Select } from '../../components/field/field.tsx';
import { FormRow, named, textIn } from '../../components/form/form.tsx';
import { useWords } from '../../shared/language.ts';
import { optionsOf } from '../options.ts';
import { destinationWords } from './words.ts';

const types = ['CPF', 'CNPJ', 'EMAIL', 'PHONE', 'EVP'] as const;

export type PixKeyType = (typeof types)[number];

export function pixKeyIn(data: FormData) {
  const chosen = textIn(data, 'pixKeyType');
  return { pixKeyType: types.find((each) => each === chosen) ?? 'CPF', pixKey: textIn(data, 'pixKey') };
}

export function PixKeyFields({ type = 'CPF', value = '' }: { type?: PixKeyType; value?: string }) {
  const words = useWords(destinationWords);
  return (
    <FormRow>
      <Select
        {...named(words, 'pixKeyType')}
        defaultValue={type}
        options={optionsOf(words.keyTypes, types)}
      />
      <Field
        {...named(words, 'pixKey')}
        defaultValue={value}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={77}
        required
      />
    </FormRow>
  );
}
