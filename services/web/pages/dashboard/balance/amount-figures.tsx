import { Figures } from '../../parts/card/card.tsx';
import { Awaited } from '../../parts/states/states.tsx';
import { Money } from '../../parts/values/values.tsx';

interface Props {
  amounts: readonly { label: string; cents: number | undefined }[];
}

/** Amounts beside each other, each in its place before it is read. */
export function AmountFigures({ amounts }: Props) {
  return (
    <Figures
      figures={amounts.map(({ label, cents }) => ({
        label,
        value: cents === undefined ? <Awaited /> : <Money cents={cents} />,
      }))}
    />
  );
}
