import '../../shared/zod.ts';
import { accountChange } from '@plataforma/contracts/account-change';
import { PhoneField } from '../../parts/field/field.tsx';
import { Form, named, textIn } from '../../parts/form/form.tsx';
import { useWords } from '../../shared/language.ts';
import { useAccountChange } from './change.ts';
import { settingsWords } from './words.ts';

export function PhoneForm({ phone }: { phone: string }) {
  const words = useWords(settingsWords);
  const change = useAccountChange();
  return (
    <Form
      schema={accountChange}
      read={(data) => ({ phone: textIn(data, 'phone') })}
      change={change}
      action={words.save}
      kind="plain"
    >
      <PhoneField {...named(words, 'phone')} defaultValue={phone} autoComplete="tel" required />
    </Form>
  );
}
