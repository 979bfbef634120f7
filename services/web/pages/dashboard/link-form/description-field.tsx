import { Field } from '../../components/field/field.tsx';
import { named } from '../../components/form/form.tsx';
import { useWords } from '../../shared/language.ts';
import { linkFormWords } from './words.ts';

interface Props {
  text?: string;
  isFirst?: boolean;
  onChange: (text: string) => void;
}

export function DescriptionField({ text, isFirst = false, onChange }: Props) {
  const words = useWords(linkFormWords);
  return (
    <Field
      {...named(words, 'description')}
      defaultValue={text}
      autoComplete="off"
      maxLength={255}
      required
      autoFocus={isFirst}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
