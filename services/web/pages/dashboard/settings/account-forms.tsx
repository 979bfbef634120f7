import { accountChange } from '@plataforma/contracts/account-change';
import { PhoneField, Select } from '../../components/field/field.tsx';
import { Form, named, textIn } from '../../components/form/form.tsx';
import { currentTime } from '../../shared/clock.ts';
import { useWords } from '../../shared/language.ts';
import { useAccountChange } from './change.ts';
import { settingsWords } from './words.ts';
import { zoneOptions } from './zone-names.ts';

const zones = accountChange.shape.timeZone.unwrap().options;

export function DaysForm({ timeZone }: { timeZone: string }) {
  const words = useWords(settingsWords);
  const change = useAccountChange();
  return (
    <Form
      schema={accountChange}
      read={(data) => ({ timeZone: zones.find((zone) => zone === textIn(data, 'timeZone')) })}
      change={change}
      action={words.save}
      kind="plain"
    >
      <Select {...named(words, 'timeZone')} options={zoneOptions(currentTime())} defaultValue={timeZone} />
    </Form>
  );
}

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
