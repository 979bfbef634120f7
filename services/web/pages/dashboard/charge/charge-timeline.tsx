import type { ChargeTimelineView } from '@plataforma/contracts';
import { platformTexts } from '@plataforma/contracts/value-words';
import { useQuery } from '@tanstack/react-query';
import { Card } from '../../components/card/card.tsx';
import { CopyText } from '../../components/copy/copy.tsx';
import { Timeline } from '../../components/timeline/timeline.tsx';
import { useDateTime } from '../../shared/date-time.ts';
import { money } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { useReasonText } from '../disputes/reasons.ts';
import { Read } from '../read.tsx';
import { timelineQuery } from './queries.ts';
import { reasonWords, stepWords, toneOfStep, waitWords } from './step-words.ts';
import { chargeWords } from './words.ts';

export function ChargeTimeline({ id }: { id: string }) {
  const words = useWords(chargeWords);
  return (
    <Card title={words.timeline}>
      <Read of={useQuery(timelineQuery(id))} lines={4}>
        {(timeline) => <Steps timeline={timeline} />}
      </Read>
    </Card>
  );
}

function Steps({ timeline }: { timeline: ChargeTimelineView }) {
  const dateTime = useDateTime();
  const titles: Readonly<Record<string, string>> = useWords(stepWords);
  const reasons: Readonly<Record<string, string>> = { ...useWords(reasonWords), ...useWords(platformTexts) };
  const disputed = useReasonText();
  const { until, ...others } = useWords(waitWords);
  const waits: Readonly<Record<string, string>> = others;
  const because = (what: string, reason: string) =>
    what === 'dispute_opened' ? disputed(reason) : (reasons[reason] ?? reason);
  const detailOf = ({ what, amount, reason, endToEndId }: ChargeTimelineView['steps'][number]) => {
    const pieces = [
      what === 'created' || amount === null ? '' : money(amount),
      reason ? because(what, reason) : '',
    ];
    const text = pieces.filter(Boolean).join(' · ');
    // Only steps about unmatched payments show an id, because the page shows all other ids in other places.
    if (!endToEndId || !what.startsWith('unexpected_payment')) return text;
    return (
      <>
        {text} <CopyText text={endToEndId} />
      </>
    );
  };
  const happened = timeline.steps.map((step, index) => ({
    key: `${index}`,
    title: titles[step.what] ?? step.what,
    at: step.at,
    detail: detailOf(step),
    tone: toneOfStep[step.what] ?? 'accent',
  }));
  const { waitingFor } = timeline;
  const ahead = waitingFor && {
    key: 'ahead',
    title: waits[waitingFor.what] ?? waitingFor.what,
    detail: waitingFor.until ? until(dateTime(waitingFor.until)) : null,
    tone: 'warn' as const,
  };
  return <Timeline steps={[...(ahead ? [ahead] : []), ...happened.reverse()]} />;
}
