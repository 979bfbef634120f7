/** The problems of API Pix 2.9.0 it can have; `CobPayloadRemovido` is CobPayloadNaoEncontrado for good. */
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

/** An expected "no" in the words of API Pix: the kernel's refusals know neither violations nor 410. */
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
