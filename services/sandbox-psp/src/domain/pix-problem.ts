/**
 * The problems of API Pix 2.9.0 that this provider uses. `CobPayloadRemovido` is a permanent
 * CobPayloadNaoEncontrado (410).
 */
export type ProblemCode =
  | 'RequisicaoInvalida'
  | 'AcessoNegado'
  | 'NaoEncontrado'
  | 'ErroInternoDoServidor'
  | 'ServicoIndisponivel'
  | 'CobNaoEncontrado'
  | 'CobOperacaoInvalida'
  | 'CobConsultaInvalida'
  | 'PixNaoEncontrado'
  | 'PixConsultaInvalida'
  | 'PixDevolucaoInvalida'
  | 'PixDevolucaoNaoEncontrada'
  | 'CobPayloadNaoEncontrado'
  | 'CobPayloadRemovido';

export interface Violation {
  razao: string;
  propriedade: string;
}

/** An expected refusal of API Pix. The kernel's `Refusal` can't express violations or status 410. */
export class PixProblem extends Error {
  readonly code: ProblemCode;
  readonly violations: readonly Violation[];
  readonly detail: string | undefined;

  constructor(
    code: ProblemCode,
    { detail, violations = [] }: { detail?: string; violations?: Violation[] } = {},
  ) {
    super(detail ?? code);
    this.name = 'PixProblem';
    this.code = code;
    this.detail = detail;
    this.violations = violations;
  }
}
