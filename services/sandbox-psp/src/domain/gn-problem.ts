export type GnProblemName =
  | 'nao_autorizado'
  | 'nao_encontrado'
  | 'requisicao_invalida'
  | 'infracao_nao_encontrada'
  | 'infracao_encerrada'
  | 'arquivo_duplicado'
  | 'chave_invalida'
  | 'chave_nao_encontrada'
  | 'valor_invalido'
  | 'id_envio_duplicado'
  | 'envio_nao_encontrado'
  | 'servico_indisponivel'
  | 'erro_aplicacao';

/**
 * An expected refusal of a request to a route that API Pix does not define. The provider answers it in the
 * format of Efí's API.
 */
export class GnProblem extends Error {
  readonly nome: GnProblemName;

  constructor(nome: GnProblemName, message: string) {
    super(message);
    this.name = 'GnProblem';
    this.nome = nome;
  }
}
