import type { FailureReason } from '@plataforma/contracts';

/**
 * Maps SPI reason codes (ISO 20022) and Efí's error names (`PUT /v3/gn/pix/{idEnvio}`) to reasons for
 * merchants. An unknown code is `other`.
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

/**
 * Returns the reason for a provider's text that is a code or begins with a code, such as "AC03: Conta
 * inexistente."
 */
export function failureReasonOf(text: string | undefined): FailureReason {
  const code = /^\s*(\w+)/.exec(text ?? '')?.[1] ?? '';
  return reasons.get(code) ?? 'other';
}
