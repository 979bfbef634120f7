import { payoutWeathers, sandboxWeather, weathers } from '@plataforma/contracts/sandbox';
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

type Weather = Awaited<ReturnType<typeof call<'GET /v1/sandbox/provider'>>>;

const FAIR = { pix: 'ok', card: 'ok', payout: 'ok' } as const;

const weatherIn = (data: FormData) => sandboxWeather.parse(textsIn(data, 'pix', 'card', 'payout'));

export function WeatherForm({ weather }: { weather: Weather }) {
  const words = useWords(sandboxWords);
  const change = useChange({
    send: (body: ReturnType<typeof weatherIn>) => call('POST /v1/sandbox/provider', { body }),
    changes: ['sandbox'],
    done: words.saved,
  });
  const { until } = weather;
  return (
    <Form read={weatherIn} change={change}>
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
      <Provider name="pix" weather={weather} states={weathers} />
      <Provider name="card" weather={weather} states={weathers} />
      <Provider name="payout" weather={weather} states={payoutWeathers} />
      <FormActions>
        {until && <Button onClick={() => change.mutate(FAIR)}>{words.fair}</Button>}
        <Button type="submit" kind="primary" busy={change.isPending}>
          {words.save}
        </Button>
      </FormActions>
    </Form>
  );
}

interface ProviderProps {
  name: 'pix' | 'card' | 'payout';
  weather: Weather;
  states: readonly Weather['payout'][];
}

function Provider({ name, weather, states }: ProviderProps) {
  const words = useWords(sandboxWords);
  const options = optionsOf(words.states, states);
  return <Select label={words.providers[name]} name={name} options={options} defaultValue={weather[name]} />;
}
