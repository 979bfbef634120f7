import '../../shared/zod.ts';
import { accountChange } from '@plataforma/contracts/account-change';
import { Button } from '../../parts/button/button.tsx';
import { Select } from '../../parts/field/field.tsx';
import { Form, FormActions, textIn } from '../../parts/form/form.tsx';
import { currentTime } from '../../shared/clock.ts';
import { useWords } from '../../shared/language.ts';
import { useAccountChange } from './change.ts';
import { settingsWords } from './words.ts';
import { zoneOptions } from './zone-names.ts';

const zones = accountChange.shape.timeZone.unwrap().options;

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
        options={zoneOptions(currentTime())}
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
