import type { FailureReason } from '@plataforma/contracts';

/**
 * Maps codes of the instant payment system and words of a provider to reasons for merchants (SPI reason codes
 * of ISO 20022; Efí, errors of `PUT /v3/gn/pix/{idEnvio}`). An unknown code is `other`.
 */
const reasons = new Map<string, FailureReason>([
  ['AB03', 'timed_out'],
  ['AB09', 'refused_by_bank'],
  ['AB11', 'timed_out'],
  ['AC03', 'account_not_found'],
  ['AC06', 'account_blocked'],
  ['AC07', 'account_closed'],
  ['AC14', 'account_not_found'],
  ['AG03', 'refused_by_bank'],
  ['AM02', 'limit_exceeded'],
  ['BE01', 'invalid_key'],
  ['BE17', 'refused_by_bank'],
  ['DS04', 'refused_by_bank'],
  ['FRAD', 'suspected_fraud'],
  ['RR04', 'refused_by_bank'],
  ['chave_invalida', 'invalid_key'],
  ['chave_nao_pertence_ao_documento', 'invalid_key'],
  ['documento_bloqueado', 'account_blocked'],
  ['valor_invalido', 'limit_exceeded'],
  ['pagamento_negado', 'refused_by_bank'],
]);

/** `text` is a code, or begins with one: "AC03: Conta inexistente." */
export function failureReasonOf(text: string | undefined): FailureReason {
  const code = /^\s*(\w+)/.exec(text ?? '')?.[1] ?? '';
  return reasons.get(code) ?? 'other';
}
