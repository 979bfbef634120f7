import type { ErrorCode } from '@plataforma/contracts';
import { catalogue, type Language } from '@plataforma/contracts/catalogue';

/** What a merchant reads instead of a code. The codes of a release that knows more have the words of `UNKNOWN`. */
const errorWords = catalogue({
  VALIDATION_ERROR: [
    'Um dos campos não está certo. Confira e tente de novo.',
    'One of the fields is not right. Check it and try again.',
  ],
  ENVIRONMENT_MISMATCH: ['A chave é de outro ambiente.', 'The key belongs to the other environment.'],
  REFUND_NOT_SUPPORTED: [
    'O provedor desta cobrança não devolve dinheiro por aqui.',
    'The provider of this charge does not return money this way.',
  ],
  UNAUTHORIZED: ['Entre de novo para continuar.', 'Log in again to continue.'],
  INVALID_API_KEY: ['Esta chave não existe.', 'This key does not exist.'],
  API_KEY_EXPIRED: ['Esta chave expirou.', 'This key has expired.'],
  API_KEY_REVOKED: ['Esta chave foi revogada.', 'This key was revoked.'],
  INVALID_TOKEN: ['Sua sessão terminou. Entre de novo.', 'Your session has ended. Log in again.'],
  TOKEN_EXPIRED: ['Sua sessão terminou. Entre de novo.', 'Your session has ended. Log in again.'],
  INVALID_CREDENTIALS: ['E-mail ou senha não conferem.', 'E-mail and password do not match.'],
  INVALID_REFRESH_TOKEN: ['Sua sessão terminou. Entre de novo.', 'Your session has ended. Log in again.'],
  CARD_DECLINED: ['O cartão foi recusado.', 'The card was declined.'],
  IP_NOT_ALLOWED: [
    'Esta chave não pode ser usada a partir deste endereço.',
    'This key can’t be used from this address.',
  ],
  INSUFFICIENT_SCOPE: ['Falta uma permissão para isto.', 'A permission is missing for this.'],
  MERCHANT_NOT_APPROVED: [
    'Produção só depois da aprovação da conta. O ambiente de teste já funciona.',
    'Production opens once the account is approved. Test mode works already.',
  ],
  MERCHANT_SUSPENDED: [
    'A conta está suspensa: dá para consultar, mas não para movimentar. Fale com o suporte.',
    'The account is suspended: you can view everything, but not move money. Contact support.',
  ],
  CARD_NOT_ENABLED: ['A conta ainda não aceita cartão.', 'The account does not take cards yet.'],
  SANDBOX_ONLY: ['Isto só existe no ambiente de teste.', 'This exists in test mode only.'],
  FORBIDDEN: ['Seu perfil não permite isto.', 'Your role does not allow this.'],
  NOT_FOUND: [
    'Não encontramos o que você procura neste ambiente.',
    'We can’t find this in this environment.',
  ],
  METHOD_NOT_ALLOWED: ['Esta operação não existe.', 'There is no such operation.'],
  REQUEST_TIMEOUT: ['A conexão está lenta demais. Tente de novo.', 'The connection is too slow. Try again.'],
  ACCOUNT_EXISTS: [
    'Já existe uma conta com este e-mail ou CNPJ. Entre com ela.',
    'There is an account with this e-mail or CNPJ. Log in with it.',
  ],
  OPERATOR_EXISTS: ['Já existe um operador com este e-mail.', 'There is an operator with this e-mail.'],
  EXTERNAL_ID_CONFLICT: [
    'Este número de pedido já foi usado com outros dados.',
    'This order number was used with other data.',
  ],
  IDEMPOTENCY_CONFLICT: [
    'Este formulário já foi enviado com outros dados. Abra-o de novo.',
    'This form was sent with other data. Open it again.',
  ],
  REQUEST_IN_PROGRESS: [
    'Isto já está em andamento. Espere alguns segundos.',
    'This is under way already. Wait a few seconds.',
  ],
  CHARGE_NOT_CANCELLABLE: [
    'A cobrança não está mais pendente e não pode ser cancelada.',
    'The charge is no longer pending and can’t be cancelled.',
  ],
  CHARGE_NOT_REFUNDABLE: [
    'Esta cobrança não pode ser devolvida: não está paga, ou já foi devolvida.',
    'This charge can’t be refunded: it is not paid, or has been refunded already.',
  ],
  REFUND_REFUSED: [
    'O banco recusou a devolução, e o valor volta ao saldo. Você pode pedir outra.',
    'The bank refused the refund, and its amount goes back to the balance. You can request another.',
  ],
  NO_SANDBOX_BANK: [
    'O ambiente de teste desta instalação não usa o banco de teste.',
    'Test mode of this installation does not use the sandbox bank.',
  ],
  LINK_NOT_OPEN: [
    'Este link de pagamento não recebe pagamentos no momento.',
    'This payment link takes no payments at the moment.',
  ],
  NO_USES_LEFT: [
    'Este link de pagamento já foi pago quantas vezes podia.',
    'This payment link has been paid as often as it can be.',
  ],
  CARD_TRIES_USED: [
    'Muitos cartões foram recusados. Pague com Pix.',
    'Too many cards were declined. Pay by Pix.',
  ],
  CARDS_PAUSED: [
    'Este link de pagamento não aceita cartão da sua rede por alguns minutos: muitos foram recusados.',
    'This payment link takes no cards from your network for some minutes: too many were declined.',
  ],
  CHARGE_NOT_PAYABLE: [
    'A cobrança não está mais pendente e não pode ser paga.',
    'The charge is no longer pending and can’t be paid.',
  ],
  INVALID_STATE: ['A situação atual não permite este passo.', 'Its current status does not allow this step.'],
  PAYLOAD_TOO_LARGE: ['Texto demais para um envio só.', 'Too much text for one request.'],
  URI_TOO_LONG: ['Filtros demais para uma consulta só.', 'Too many filters for one request.'],
  NOT_ACCEPTABLE: [
    'Este formato de arquivo não existe para esta lista.',
    'This list has no file of this format.',
  ],
  UNSUPPORTED_MEDIA_TYPE: ['O formato do envio não é aceito.', 'This format is not accepted.'],
  INSUFFICIENT_BALANCE: ['O saldo não cobre este valor.', 'The balance does not cover this amount.'],
  API_KEY_LIMIT_REACHED: [
    'A conta já tem 100 chaves ativas. Revogue uma para criar outra.',
    'The account has 100 active keys. Revoke one to create another.',
  ],
  FILE_LIMIT_REACHED: [
    'O limite é de cinco arquivos por contestação; a conta também tem um limite ao todo (100 MB no ambiente de teste). Remova um de uma contestação aberta ou peça mais espaço ao suporte.',
    'The limit is five files a dispute; the account has a limit in all, too (100 MB in test mode). Remove one of an open dispute, or ask support for more room.',
  ],
  LOGO_LIMIT_REACHED: [
    'A conta já tem 100 links com logotipo próprio. Use o logotipo da conta ou remova o de outro link.',
    'The account has 100 links with a logo of their own. Use the account’s logo, or remove that of another link.',
  ],
  DESTINATION_LIMIT_REACHED: [
    'A conta chegou ao limite de destinos.',
    'The account has reached its limit of destinations.',
  ],
  INVALID_QR_CODE: ['Este código Pix não pode ser pago.', 'This Pix code can’t be paid.'],
  QR_CODE_UNRESOLVABLE: [
    'O banco deste código não respondeu. Tente de novo em instantes.',
    'The bank behind this code did not answer. Try again shortly.',
  ],
  WITHDRAWAL_LIMIT_REACHED: [
    'Este saque passaria do limite diário da conta.',
    'This withdrawal would exceed the account’s daily limit.',
  ],
  WEBHOOK_LIMIT_REACHED: ['A conta já tem cinco webhooks.', 'The account has five webhooks already.'],
  RATE_LIMITED: ['Muitas requisições em pouco tempo. Espere um pouco.', 'Too many requests. Wait a moment.'],
  HEADERS_TOO_LARGE: ['A requisição é grande demais.', 'The request is too large.'],
  INTERNAL_ERROR: [
    'Algo deu errado do nosso lado. Se continuar, informe o ID da requisição ao suporte.',
    'Something went wrong on our side. If it keeps happening, give support the request ID.',
  ],
  NOT_IMPLEMENTED: ['Esta operação não existe.', 'There is no such operation.'],
  PROVIDER_ERROR: [
    'O provedor respondeu de um jeito inesperado. Tente de novo em instantes.',
    'The provider answered in an unexpected way. Try again shortly.',
  ],
  SERVICE_UNAVAILABLE: [
    'O serviço está indisponível agora. Tente de novo em instantes.',
    'The service is not available right now. Try again shortly.',
  ],
  PROVIDER_UNAVAILABLE: [
    'O provedor não responde agora. Tente de novo em instantes.',
    'The provider does not answer now. Try again shortly.',
  ],
  UNKNOWN: ['Não deu certo. Tente de novo.', 'This did not work. Try again.'],
} satisfies Record<ErrorCode | 'UNKNOWN', readonly [string, string]>);

/** Returns the words of a code, which may be any text of an address. */
export function wordsOfCode(code: string, language: Language): string {
  const words: Record<string, string> & { UNKNOWN: string } = errorWords[language];
  return (Object.hasOwn(words, code) && words[code]) || words.UNKNOWN;
}

export const failureWords = catalogue({
  lost: [
    'Não tivemos resposta e ainda não sabemos se deu certo. Tente de novo: nada é feito duas vezes.',
    'No answer came, and we do not know yet whether it worked. Try again: nothing is done twice.',
  ],
  retrying: [
    'O servidor não respondeu. Vamos tentar de novo em instantes.',
    'The server did not answer. Trying again in a moment.',
  ],
  requestId: ['ID da requisição', 'Request ID'],
  details: ['Detalhes', 'Details'],
  again: ['Tentar de novo', 'Try again'],
  title: ['Não foi possível carregar', 'This could not be loaded'],
  forbidden: ['Sem permissão', 'No permission'],
  missing: ['Não encontrado', 'Not found'],
});
