import { payoutStates, providerFaultsChange, providerStates } from '@plataforma/contracts/sandbox';
import { Button } from '../../components/button/button.tsx';
import { Select } from '../../components/field/field.tsx';
import { Form, FormActions, textsIn } from '../../components/form/form.tsx';
import { Notice } from '../../components/states/states.tsx';
import { Time } from '../../components/values/values.tsx';
import { call } from '../../shared/api.ts';
import { RealTime } from '../../shared/clock.ts';
import { useWords } from '../../shared/language.ts';
import { useChange } from '../changes/use-change.ts';
import { optionsOf } from '../options.ts';
import { sandboxWords } from './words.ts';

type ProviderFaults = Awaited<ReturnType<typeof call<'GET /v1/sandbox/provider'>>>;

const NO_FAULTS = { pix: 'ok', card: 'ok', payout: 'ok' } as const;

const faultsIn = (data: FormData) => providerFaultsChange.parse(textsIn(data, 'pix', 'card', 'payout'));

export function ProviderFaultsForm({ faults }: { faults: ProviderFaults }) {
  const words = useWords(sandboxWords);
  const change = useChange({
    send: (body: ReturnType<typeof faultsIn>) => call('POST /v1/sandbox/provider', { body }),
    changes: ['sandbox'],
    done: words.saved,
  });
  const { until } = faults;
  return (
    <Form read={faultsIn} change={change}>
      {until && (
        <Notice tone="warn">
          <span>{words.changed}</span>
          <small>
            {words.until}{' '}
            <RealTime value={true}>
              <Time at={until} isRelative />
            </RealTime>
          </small>
        </Notice>
      )}
      <Provider name="pix" faults={faults} states={providerStates} />
      <Provider name="card" faults={faults} states={providerStates} />
      <Provider name="payout" faults={faults} states={payoutStates} />
      <FormActions>
        {until && <Button onClick={() => change.mutate(NO_FAULTS)}>{words.fair}</Button>}
        <Button type="submit" kind="primary" busy={change.isPending}>
          {words.save}
        </Button>
      </FormActions>
    </Form>
  );
}

interface ProviderProps {
  name: 'pix' | 'card' | 'payout';
  faults: ProviderFaults;
  states: readonly ProviderFaults['payout'][];
}

function Provider({ name, faults, states }: ProviderProps) {
  const words = useWords(sandboxWords);
  const options = optionsOf(words.states, states);
  return <Select label={words.providers[name]} name={name} options={options} defaultValue={faults[name]} />;
}
