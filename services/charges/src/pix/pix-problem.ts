import { Refusal, visibleLine } from '@plataforma/kernel';
import { mask } from '@plataforma/observe';
import { z } from 'zod';

const MAX_REASON_LENGTH = 200;

const text = z.string().trim().min(1).optional().catch(undefined);

/** problem+json as API Pix 2.9.0 has it, and the errors of providers with a form of their own (Efí). */
const problem = z.object({
  detail: text,
  violacoes: z
    .array(z.object({ razao: text }))
    .optional()
    .catch(undefined),
  title: text,
  mensagem: text,
  nome: text,
});

/** Why a provider did not do it, as far as its answer says so. */
export function reasonOf(body: unknown): string | undefined {
  const { detail, violacoes = [], title, mensagem, nome } = problem.safeParse(body).data ?? {};
  const reasons = violacoes.flatMap(({ razao }) => razao ?? []).join('; ');
  return detail ?? (reasons || (title ?? mensagem ?? nome));
}

/** A provider's reason, fit to be shown to a merchant: short, one line, naming nobody's data. */
export function presentable(reason: string | undefined): string {
  const plain = mask(visibleLine((reason ?? '').replaceAll(/\p{Cc}+/gu, ' ')));
  return shortened(plain, MAX_REASON_LENGTH) || 'the provider refused the refund';
}

export function unusable(what: string): Refusal {
  return new Refusal(
    'provider_fault',
    'PROVIDER_ERROR',
    `the Pix provider ${what}; send the same request again`,
  );
}

/** Cut, and not through the middle of a character. */
export function shortened(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
}
