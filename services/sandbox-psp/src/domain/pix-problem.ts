/**
 * The problems of API Pix 2.9.0 that this provider uses. `CobPayloadRemovido` stands for
 * CobPayloadNaoEncontrado with status 410, which means that the charge is removed for ever.
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

/**
 * A request that API Pix refuses for an expected reason. The kernel's class `Refusal` has no violations and
 * no status 410, so this class replaces it.
 */
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
