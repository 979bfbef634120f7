import type { Weakness } from '@plataforma/kernel/weak-passwords';
import { ApiError, ConnectionError, environment } from './api.ts';
import { wordsOfCode } from './error-words.ts';
import { catalogue, type Language, useLanguage } from './language.ts';

/**
 * An error that a schema of the API found. The page shows a text for the error's kind, because the error's
 * message is technical and in English.
 */
export interface Issue {
  code?: string | undefined;
  path: readonly PropertyKey[];
  origin?: unknown;
  minimum?: unknown;
  maximum?: unknown;
  input?: unknown;
}

/** A password that a form refuses because it is easy to guess. `field` is the name of its field. */
class WeakPassword extends Error {
  readonly weakness: Weakness;
  readonly field: string;

  constructor(weakness: Weakness, field: string) {
    super(`the password is ${weakness}`);
    this.weakness = weakness;
    this.field = field;
  }
}

/** Refuses a password that is easy to guess. The list of common passwords loads only here. */
export async function refuseWeak(field: string, password: string, about: readonly string[]): Promise<void> {
  const { weaknessOf } = await import('@plataforma/kernel/weak-passwords');
  const weakness = weaknessOf(password, about);
  if (weakness) throw new WeakPassword(weakness, field);
}

const words = catalogue({
  missing: ['Preencha este campo.', 'Fill in this field.'],
  missingTerms: ['Aceite os termos para criar a conta.', 'Accept the terms to create the account.'],
  weak: {
    common: [
      'Esta senha é muito comum e fácil de adivinhar. Escolha outra.',
      'This password is very common and easy to guess. Choose another one.',
    ],
    personal: [
      'Esta senha usa o nome da empresa ou o e-mail. Escolha outra.',
      'This password uses the company’s name or the e-mail. Choose another one.',
    ],
  },
  short: ['No mínimo {least} caracteres.', 'At least {least} characters.'],
  long: ['No máximo {most} caracteres.', 'At most {most} characters.'],
  low: ['O valor é baixo demais.', 'The amount is too low.'],
  high: ['O valor é alto demais.', 'The amount is too high.'],
  providerFault: [
    'A página Sandbox mostra se é uma falha simulada.',
    'The Sandbox page shows whether this is a simulated fault.',
  ],
  wrong: [
    'Confira este campo: ele não está no formato esperado.',
    'Check this field: its format is not valid.',
  ],
  wrongIn: {
    cnpj: [
      'CNPJ inválido. Confira as letras e os números.',
      'This CNPJ is not valid. Check its letters and digits.',
    ],
    payerDocument: [
      'CPF ou CNPJ inválido. Confira os números e as letras.',
      'This CPF or CNPJ is not valid. Check its digits and letters.',
    ],
    holderDocument: [
      'CPF ou CNPJ inválido. Confira os números e as letras.',
      'This CPF or CNPJ is not valid. Check its digits and letters.',
    ],
    email: ['E-mail inválido. Confira o endereço.', 'This e-mail is not valid. Check the address.'],
    payerEmail: ['E-mail inválido. Confira o endereço.', 'This e-mail is not valid. Check the address.'],
    phone: [
      'Telefone inválido. Digite o DDD e o número.',
      'This phone number is not valid. Enter the area code and the number.',
    ],
    pixKey: [
      'Esta chave não vale para este tipo. Confira os dois.',
      'This key is not valid for this type. Check both.',
    ],
    pixKeyType: ['Escolha o tipo desta chave.', 'Choose the type of this key.'],
    url: [
      'Use um endereço público que comece com https://.',
      'Use a public address that starts with https://.',
    ],
    returnUrl: ['Use um endereço que comece com https://.', 'Use an address that starts with https://.'],
    expiresAt: ['Escolha hoje ou um dia futuro.', 'Choose today or a future day.'],
    minAmount: ['O mínimo não pode passar do máximo.', 'The minimum can’t exceed the maximum.'],
    methods: ['Escolha ao menos um meio de pagamento.', 'Choose at least one payment method.'],
    scopes: ['Escolha ao menos um escopo.', 'Choose at least one scope.'],
    uses: [
      'Use um número inteiro, não menor que o de pagamentos já feitos.',
      'Enter a whole number, not below the number of payments so far.',
    ],
    logo: ['Esta imagem não é aceita. Escolha outra.', 'This image is not accepted. Choose another one.'],
    currentPassword: ['A senha atual não confere.', 'The current password is wrong.'],
    newPassword: [
      'A nova senha precisa ser diferente da atual.',
      'The new password must differ from the current one.',
    ],
  },
});

const NOTHING = new Set<unknown>([undefined, '', null, 0]);

/** Returns a function that gives the text of a schema's error, for display at its field. */
export function useIssueText(): (issue: Issue, sent: unknown) => string {
  const word = words[useLanguage()];
  return ({ code, path, origin, minimum, maximum }, sent) => {
    if (NOTHING.has(sent)) return missingIn(path, word);
    const size = origin === 'array' ? null : code;
    if (size === 'too_small') return origin === 'string' ? word.short(Number(minimum)) : word.low;
    if (size === 'too_big') return origin === 'string' ? word.long(Number(maximum)) : word.high;
    const wrongIn: Readonly<Record<string, string>> = word.wrongIn;
    return wrongIn[String(path[0])] ?? word.wrong;
  };
}

const missingIn = ([name]: Issue['path'], word: { missing: string; missingTerms: string }) =>
  name === 'acceptedTerms' ? word.missingTerms : word.missing;

/** Returns a function that gives the error text for a field that the API refused. */
export function useFieldText(): (field: string, error: unknown) => string {
  const { wrongIn, weak } = words[useLanguage()];
  const texts: Readonly<Record<string, string>> = wrongIn;
  const errorText = useErrorText();
  const isUnknownKey = (error: unknown) => error instanceof ApiError && error.code === 'PIX_KEY_NOT_FOUND';
  return (field, error) => {
    if (error instanceof WeakPassword) return weak[error.weakness];
    return isUnknownKey(error) ? errorText(error) : (texts[field] ?? errorText(error));
  };
}

export function useCodeText(): (code: string) => string {
  const language = useLanguage();
  return (code) => wordsOfCode(code, language);
}

/** Returns a function that gives the error text for any thrown value. */
export function useErrorText(): (error: unknown) => string {
  const language = useLanguage();
  return (error) => {
    const text = textOf(error, language);
    const isProviderFault = error instanceof ApiError && error.code === 'PROVIDER_UNAVAILABLE';
    return isProviderFault && environment === 'sandbox' ? `${text} ${words[language].providerFault}` : text;
  };
}

function textOf(error: unknown, language: Language): string {
  if (error instanceof ApiError) return wordsOfCode(error.code, language);
  return wordsOfCode(error instanceof ConnectionError ? 'SERVICE_UNAVAILABLE' : 'UNKNOWN', language);
}

/** Returns the name of the form field that the API refused, such as `payerDocument`. */
export function fieldOf(error: unknown): string | null {
  if (error instanceof WeakPassword) return error.field;
  if (!(error instanceof ApiError)) return null;
  // This code is about the field `currentPassword`, although the API names no field for it. A log-in returns
  // the same code, but the log-in form has no such field.
  if (error.code === 'INVALID_CREDENTIALS') return 'currentPassword';
  if (error.code === 'PIX_KEY_NOT_FOUND') return 'pixKey';
  return error.field?.split('.')[0] || null;
}
