import type { WebhookConfigurationView } from '@plataforma/contracts';
import { Badge } from '../../components/badge/badge.tsx';
import { useWords } from '../../shared/language.ts';
import { webhookWords } from './words.ts';

const TONES = { unknown: 'neutral', healthy: 'good', slow: 'warn', failing: 'bad' } as const;

export function Health({ health }: Pick<WebhookConfigurationView, 'health'>) {
  const words = useWords(webhookWords);
  return <Badge tone={TONES[health]}>{words.healths[health]}</Badge>;
}
