import type { ErrorCode } from '@plataforma/contracts';
import { catalogue, type Language } from '@plataforma/contracts/catalogue';

/** The texts of the API's error codes. An unknown code of a newer release gets the text of `UNKNOWN`. */
const errorWords = catalogue({
  VALIDATION_ERROR: [
    'Um campo é inválido. Confira e tente de novo.',
    'A field is not valid. Check it and try again.',
  ],
  ENVIRONMENT_MISMATCH: [
    'Esta chave de API é do outro ambiente. Use uma chave deste ambiente.',
    'This API key belongs to the other environment. Use a key of this environment.',
  ],
  REFUND_NOT_SUPPORTED: [
    'O provedor desta cobrança não faz devoluções. Devolva o dinheiro ao pagador de outra forma.',
    'The provider of this charge does not support refunds. Return the money to the payer in another way.',
  ],
  UNAUTHORIZED: ['Entre de novo para continuar.', 'Log in again to continue.'],
  INVALID_API_KEY: [
    'Esta chave de API não existe. Confira a chave.',
    'This API key does not exist. Check the key.',
  ],
  API_KEY_EXPIRED: [
    'Esta chave de API expirou. Crie outra.',
    'This API key has expired. Create another one.',
  ],
  API_KEY_REVOKED: [
    'Esta chave de API foi revogada. Crie outra.',
    'This API key was revoked. Create another one.',
  ],
  INVALID_TOKEN: ['Sua sessão terminou. Entre de novo.', 'Your session has ended. Log in again.'],
  TOKEN_EXPIRED: ['Sua sessão terminou. Entre de novo.', 'Your session has ended. Log in again.'],
  INVALID_CREDENTIALS: ['E-mail ou senha não conferem.', 'The e-mail or password is incorrect.'],
  INVALID_REFRESH_TOKEN: ['Sua sessão terminou. Entre de novo.', 'Your session has ended. Log in again.'],
  PIX_KEY_NOT_FOUND: ['Esta chave Pix não existe. Confira.', 'This Pix key does not exist. Check it.'],
  SECOND_FACTOR_REQUIRED: ['Informe o código do segundo fator.', 'Enter the code of your second factor.'],
  SECOND_FACTOR_ENROLMENT: [
    'Esta conta ainda não tem segundo fator. Cadastre um aplicativo autenticador.',
    'This account has no second factor yet. Set up an authenticator app.',
  ],
  INVALID_SECOND_FACTOR: [
    'O código está errado ou já foi usado. Espere o próximo.',
    'The code is wrong or was used before. Wait for the next code.',
  ],
  SECOND_FACTOR_STALE: [
    'Confirme o segundo fator e tente de novo.',
    'Confirm your second factor and try again.',
  ],
  SECOND_FACTOR_LOCKED: [
    'Muitos códigos errados. Tente de novo em 15 minutos.',
    'Too many wrong codes. Try again in 15 minutes.',
  ],
  PASSKEYS_NOT_CONFIGURED: [
    'Esta instalação não aceita passkeys. Use um código.',
    'This installation takes no passkeys. Use a code.',
  ],
  INVALID_PASSKEY: [
    'A passkey não foi aceita. Comece de novo.',
    'The passkey was not accepted. Start again.',
  ],
  PASSKEY_LIMIT_REACHED: [
    'Já existem dez passkeys. Apague uma antes.',
    'You have ten passkeys already. Delete one first.',
  ],
  CARD_DECLINED: ['O cartão foi recusado. Use outro cartão.', 'The card was declined. Use another card.'],
  IP_NOT_ALLOWED: [
    'Esta chave de API não pode ser usada deste endereço IP. Confira os endereços permitidos.',
    'This API key can’t be used from this IP address. Check the allowed addresses.',
  ],
  INSUFFICIENT_SCOPE: [
    'Falta um escopo à chave de API. Use uma chave que o tenha.',
    'The API key lacks a scope. Use a key that has the scope.',
  ],
  MERCHANT_NOT_APPROVED: [
    'A conta ainda não foi aprovada para produção. Até lá, use o modo de teste.',
    'The account is not approved for production yet. Use test mode until then.',
  ],
  MERCHANT_SUSPENDED: [
    'A conta está suspensa: você pode consultar tudo, mas não movimentar dinheiro. Fale com o suporte.',
    'The account is suspended. You can view data but not move money. Contact support.',
  ],
  CARD_NOT_ENABLED: [
    'A conta ainda não aceita cartão. Fale com o suporte.',
    'The account does not accept cards yet. Contact support.',
  ],
  SANDBOX_ONLY: ['Isto só existe no modo de teste.', 'This is available only in test mode.'],
  FORBIDDEN: ['Seu perfil não permite isto.', 'Your role does not allow this.'],
  NOT_FOUND: [
    'Não encontramos o que você procura neste ambiente.',
    'We can’t find this in this environment.',
  ],
  METHOD_NOT_ALLOWED: ['Esta operação não existe.', 'This operation does not exist.'],
  REQUEST_TIMEOUT: ['A conexão está lenta demais. Tente de novo.', 'The connection is too slow. Try again.'],
  ACCOUNT_EXISTS: [
    'Já existe uma conta com este e-mail ou CNPJ. Entre com ela.',
    'An account with this e-mail or CNPJ already exists. Log in to it.',
  ],
  OPERATOR_EXISTS: ['Já existe um operador com este e-mail.', 'An operator with this e-mail already exists.'],
  EXTERNAL_ID_CONFLICT: [
    'Este número de pedido já foi usado com outros dados. Use outro número.',
    'This order number was already used with other data. Use another number.',
  ],
  IDEMPOTENCY_CONFLICT: [
    'Este formulário já foi enviado com outros dados. Abra-o de novo.',
    'This form was already sent with other data. Open it again.',
  ],
  REQUEST_IN_PROGRESS: [
    'Isto já está em andamento. Espere alguns segundos.',
    'This request is already in progress. Wait a few seconds.',
  ],
  CHARGE_NOT_CANCELLABLE: [
    'A cobrança não está mais pendente e não pode ser cancelada.',
    'The charge is no longer pending and can’t be cancelled.',
  ],
  CHARGE_NOT_REFUNDABLE: [
    'Esta cobrança não pode ser devolvida: não está paga, ou já foi devolvida.',
    'This charge can’t be refunded: it is not paid, or was already refunded.',
  ],
  REFUND_REFUSED: [
    'O banco recusou a devolução, e o valor volta ao saldo. Você pode pedir outra.',
    'The bank refused the refund, and the amount returns to the balance. You can request another refund.',
  ],
  NO_SANDBOX_BANK: [
    'O modo de teste desta instalação não usa o banco de teste.',
    'This installation does not use the sandbox bank in test mode.',
  ],
  LINK_NOT_OPEN: [
    'Este link de pagamento não recebe pagamentos no momento.',
    'This payment link does not accept payments at the moment.',
  ],
  NO_USES_LEFT: [
    'Este link de pagamento atingiu o limite de pagamentos.',
    'This payment link has reached its payment limit.',
  ],
  CARD_TRIES_USED: [
    'Muitos cartões foram recusados. Pague com Pix.',
    'Too many cards were declined. Pay by Pix.',
  ],
  CARDS_PAUSED: [
    'Este link de pagamento não aceita cartão da sua rede por alguns minutos: muitos foram recusados.',
    'This payment link does not accept cards from your network for a few minutes: too many were declined.',
  ],
  CHARGE_NOT_PAYABLE: [
    'A cobrança não está mais pendente e não pode ser paga.',
    'The charge is no longer pending and can’t be paid.',
  ],
  INVALID_STATE: ['A situação atual não permite este passo.', 'The current status does not allow this step.'],
  PAYLOAD_TOO_LARGE: [
    'O envio é grande demais. Encurte o texto.',
    'The request is too large. Shorten the text.',
  ],
  URI_TOO_LONG: [
    'A consulta tem filtros demais. Remova alguns.',
    'The request has too many filters. Remove some of them.',
  ],
  NOT_ACCEPTABLE: [
    'Esta lista não pode ser exportada neste formato.',
    'This list can’t be exported in this format.',
  ],
  UNSUPPORTED_MEDIA_TYPE: ['O formato do envio não é aceito.', 'This format is not accepted.'],
  INSUFFICIENT_BALANCE: ['O saldo não cobre este valor.', 'The balance does not cover this amount.'],
  API_KEY_LIMIT_REACHED: [
    'A conta já tem 100 chaves ativas. Revogue uma para criar outra.',
    'The account already has 100 active keys. Revoke one to create another.',
  ],
  FILE_LIMIT_REACHED: [
    'O limite é de cinco arquivos por contestação; a conta também tem um limite ao todo (100 MB no modo de teste). Remova um de uma contestação aberta ou peça mais espaço ao suporte.',
    'A dispute can have five files, and the account has a total limit (100 MB in test mode). Remove a file from an open dispute, or ask support for more space.',
  ],
  LOGO_LIMIT_REACHED: [
    'A conta já tem 100 links com logotipo próprio. Use o logotipo da conta ou remova o de outro link.',
    'The account already has 100 links with their own logo. Use the account’s logo, or remove the logo of another link.',
  ],
  DESTINATION_LIMIT_REACHED: [
    'A conta chegou ao limite de destinos. Apague um para salvar outro.',
    'The account has reached its destination limit. Delete one to save another.',
  ],
  INVALID_CNPJ: [
    'Os dígitos verificadores deste CNPJ estão errados.',
    'The check digits of this CNPJ are wrong.',
  ],
  INVALID_QR_CODE: [
    'Este código Pix não pode ser pago. Peça outro código.',
    'This Pix code can’t be paid. Ask for another code.',
  ],
  QR_CODE_UNRESOLVABLE: [
    'O banco deste código não enviou os dados dele. Tente de novo em instantes ou peça outro código.',
    'The bank of this code did not send its data. Try again in a moment, or ask for another code.',
  ],
  WITHDRAWAL_LIMIT_REACHED: [
    'Este saque passaria do limite diário da conta.',
    'This withdrawal would exceed the account’s daily limit.',
  ],
  WEBHOOK_LIMIT_REACHED: [
    'A conta já tem cinco webhooks. Apague um para criar outro.',
    'The account already has five webhooks. Delete one to create another.',
  ],
  RATE_LIMITED: ['Muitas requisições em pouco tempo. Espere um pouco.', 'Too many requests. Wait a moment.'],
  HEADERS_TOO_LARGE: ['A requisição é grande demais.', 'The request is too large.'],
  INTERNAL_ERROR: [
    'Algo deu errado do nosso lado. Se continuar, informe o ID da requisição ao suporte.',
    'Something went wrong on our side. If it happens again, send the request ID to support.',
  ],
  NOT_IMPLEMENTED: ['Esta operação não existe.', 'This operation does not exist.'],
  PROVIDER_ERROR: [
    'O provedor respondeu de um jeito inesperado. Tente de novo em instantes.',
    'The provider returned an unexpected response. Try again in a moment.',
  ],
  SERVICE_UNAVAILABLE: [
    'O serviço está indisponível agora. Tente de novo em instantes.',
    'The service is unavailable right now. Try again in a moment.',
  ],
  PROVIDER_UNAVAILABLE: [
    'O provedor não responde agora. Tente de novo em instantes.',
    'The provider is not responding. Try again in a moment.',
  ],
  UNKNOWN: ['Não deu certo. Tente de novo.', 'The request failed. Try again.'],
} satisfies Record<ErrorCode | 'UNKNOWN', readonly [string, string]>);

/** Returns the text of an error code. The code may come from a URL, so it may be any text. */
export function wordsOfCode(code: string, language: Language): string {
  const words: Record<string, string> & { UNKNOWN: string } = errorWords[language];
  return (Object.hasOwn(words, code) && words[code]) || words.UNKNOWN;
}

export const failureWords = catalogue({
  lost: [
    'Não tivemos resposta e ainda não sabemos se deu certo. Tente de novo: nada é feito duas vezes.',
    'The server did not respond, and we do not know yet whether the request succeeded. Try again: nothing is done twice.',
  ],
  retrying: [
    'O servidor não respondeu. Vamos tentar de novo em instantes.',
    'The server did not respond. Trying again in a moment.',
  ],
  slow: ['Está demorando mais que o normal. Aguarde.', 'This takes longer than usual. Please wait.'],
  requestId: ['ID da requisição', 'Request ID'],
  details: ['Detalhes', 'Details'],
  again: ['Tentar de novo', 'Try again'],
  title: ['Não foi possível carregar', 'This could not be loaded'],
  forbidden: ['Sem permissão', 'No permission'],
  missing: ['Não encontrado', 'Not found'],
});
