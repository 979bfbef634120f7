import '../../shared/zod.ts';
import { accountChange } from '@plataforma/contracts/account-change';
import { Button } from '../../parts/button/button.tsx';
import { PhoneField } from '../../parts/field/field.tsx';
import { Form, FormActions, textIn } from '../../parts/form/form.tsx';
import { useWords } from '../../shared/language.ts';
import { useAccountChange } from './change.ts';
import { settingsWords } from './words.ts';

export function PhoneForm({ phone }: { phone: string }) {
  const words = useWords(settingsWords);
  const { mutate, error, isPending } = useAccountChange();
  return (
    <Form
      schema={accountChange}
      read={(data) => ({ phone: textIn(data, 'phone') })}
      send={mutate}
      error={error}
    >
      <PhoneField label={words.phone} name="phone" defaultValue={phone} autoComplete="tel" required />
      <FormActions>
        <Button type="submit" busy={isPending}>
          {words.save}
        </Button>
      </FormActions>
    </Form>
  );
}
