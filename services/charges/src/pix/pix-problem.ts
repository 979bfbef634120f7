import { Refusal, visibleLine } from '@plataforma/kernel';
import { mask } from '@plataforma/observe';
import { z } from 'zod';

const MAX_REASON_LENGTH = 200;

const text = z.string().trim().min(1).optional().catch(undefined);

/**
 * An error in the format of API Pix 2.9.0 (problem+json), or in the format that some providers, such as Efí,
 * use instead.
 */
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

/** Returns the reason for a provider's refusal, if its answer has one. */
export function reasonOf(body: unknown): string | undefined {
  const { detail, violacoes = [], title, mensagem, nome } = problem.safeParse(body).data ?? {};
  const reasons = violacoes.flatMap(({ razao }) => razao ?? []).join('; ');
  return detail ?? (reasons || (title ?? mensagem ?? nome));
}

/** Returns a provider's reason in a form for merchants: short, on one line and without personal data. */
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

/** Shortens a text, and never splits a surrogate pair. */
export function shortened(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
}
