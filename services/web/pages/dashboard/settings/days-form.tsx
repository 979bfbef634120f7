import '../../shared/zod.ts';
import { accountChange } from '@plataforma/contracts/account-change';
import { Button } from '../../parts/button/button.tsx';
import { Select } from '../../parts/field/field.tsx';
import { Form, FormActions, textIn } from '../../parts/form/form.tsx';
import { useWords } from '../../shared/language.ts';
import { useAccountChange } from './change.ts';
import { settingsWords } from './words.ts';

const zones = accountChange.shape.timeZone.unwrap().options;

/** `America/Porto Velho`: the name of the zone is the same in both languages. */
const options = zones.map((value) => ({ value, label: value.replaceAll('_', ' ') }));

export function DaysForm({ timeZone }: { timeZone: string }) {
  const words = useWords(settingsWords);
  const { mutate, error, isPending } = useAccountChange();
  return (
    <Form
      schema={accountChange}
      read={(data) => ({ timeZone: zones.find((zone) => zone === textIn(data, 'timeZone')) })}
      send={mutate}
      error={error}
    >
      <Select
        label={words.timeZone}
        name="timeZone"
        hint={words.timeZoneHint}
        options={options}
        defaultValue={timeZone}
      />
      <FormActions>
        <Button type="submit" busy={isPending}>
          {words.save}
        </Button>
      </FormActions>
    </Form>
  );
}
