import { platformTexts } from '@plataforma/contracts/value-words';
import { useQuery } from '@tanstack/react-query';
import { Card } from '../../parts/card/card.tsx';
import { CopyText } from '../../parts/copy/copy.tsx';
import { Skeleton } from '../../parts/states/states.tsx';
import { type Step, Timeline } from '../../parts/timeline/timeline.tsx';
import { useDateTime } from '../../shared/date-time.ts';
import { money } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { useReasonText } from '../disputes/reasons.ts';
import { Failed } from '../failed.tsx';
import { timelineQuery } from './queries.ts';
import { reasonWords, stepWords, toneOfStep, waitWords } from './step-words.ts';
import { chargeWords } from './words.ts';

export function ChargeTimeline({ id }: { id: string }) {
  const words = useWords(chargeWords);
  const { data, error, refetch } = useQuery(timelineQuery(id));
  const steps = useSteps(data);
  return (
    <Card title={words.timeline}>
      {data && <Timeline steps={steps} />}
      {!data && !error && <Skeleton lines={4} />}
      {!data && error && <Failed error={error} retry={refetch} />}
    </Card>
  );
}

interface Told {
  waitingFor: { what: string; until: string | null } | null;
  steps: readonly {
    at: string;
    what: string;
    amount: number | null;
    reason: string | null;
    endToEndId: string | null;
  }[];
}

function useSteps(told: Told | undefined): Step[] {
  const dateTime = useDateTime();
  const titles: Readonly<Record<string, string>> = useWords(stepWords);
  const reasons: Readonly<Record<string, string>> = { ...useWords(reasonWords), ...useWords(platformTexts) };
  const disputed = useReasonText();
  const waits = useWords(waitWords);
  const because = (what: string, reason: string) =>
    what === 'dispute_opened' ? disputed(reason) : (reasons[reason] ?? reason);
  if (!told) return [];
  const noteOf = ({ what, amount, reason, endToEndId }: Told['steps'][number]) => {
    const pieces = [
      what === 'created' || amount === null ? '' : money(amount),
      reason ? because(what, reason) : '',
    ];
    const text = pieces.filter(Boolean).join(' · ');
    // The page shows the ids of the payment and of refunds elsewhere.
    if (!endToEndId || !what.startsWith('unexpected_payment')) return text;
    return (
      <>
        {text} <CopyText text={endToEndId} />
      </>
    );
  };
  const happened = told.steps.map((step, place) => ({
    key: `${place}`,
    title: titles[step.what] ?? step.what,
    at: step.at,
    note: noteOf(step),
    tone: toneOfStep[step.what] ?? 'accent',
  }));
  const { waitingFor } = told;
  const ahead = waitingFor && {
    key: 'ahead',
    title: waitTitle(waits, waitingFor.what),
    note: waitingFor.until ? waits.until(dateTime(waitingFor.until)) : null,
    tone: 'warn' as const,
  };
  return [...(ahead ? [ahead] : []), ...happened.reverse()];
}

function waitTitle(words: object, what: string): string {
  const known = Object.entries(words).find(([name]) => name === what)?.[1];
  return typeof known === 'string' ? known : what;
}
