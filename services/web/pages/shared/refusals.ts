import { ApiError, ConnectionError, environment } from './api.ts';
import { errorWords } from './error-words.ts';
import { catalogue, useLanguage } from './language.ts';

/** Of a contract's issue no more than its kind is shown: its own sentence is technical, and English. */
export interface Issue {
  code?: string | undefined;
  path: readonly PropertyKey[];
  origin?: unknown;
  minimum?: unknown;
  maximum?: unknown;
  input?: unknown;
}

const words = catalogue(
  {
    missing: 'Preencha este campo.',
    short: (least: number) => `No mínimo ${least} caracteres.`,
    long: (most: number) => `No máximo ${most} caracteres.`,
    low: 'O valor é baixo demais.',
    high: 'O valor é alto demais.',
    weather: 'A página Sandbox mostra se é uma falha simulada.',
    wrong: 'Confira este campo: ele não está no formato esperado.',
    wrongIn: {
      cnpj: 'CNPJ inválido. Confira as letras e os números.',
      payerDocument: 'CPF ou CNPJ inválido. Confira os números e as letras.',
      holderDocument: 'CPF ou CNPJ inválido. Confira os números e as letras.',
      email: 'E-mail inválido. Confira o endereço.',
      payerEmail: 'E-mail inválido. Confira o endereço.',
      phone: 'Telefone inválido. Digite o DDD e o número.',
      pixKey: 'Esta chave não é do tipo escolhido.',
      url: 'Use um endereço público que comece com https://.',
      returnUrl: 'Use um endereço que comece com https://.',
      expiresAt: 'Escolha hoje ou um dia que ainda virá.',
      minAmount: 'O mínimo não pode passar do máximo.',
      methods: 'Escolha ao menos um meio de pagamento.',
      scopes: 'Escolha ao menos uma permissão.',
      uses: 'Use um número inteiro, não menor que o de pagamentos já feitos.',
      logo: 'Esta imagem não é aceita. Escolha outra.',
      currentPassword: 'A senha atual não confere.',
      newPassword: 'A nova senha precisa ser diferente da atual.',
    } as Record<string, string>,
  },
  {
    missing: 'Fill in this field.',
    short: (least: number) => `At least ${least} characters.`,
    long: (most: number) => `At most ${most} characters.`,
    low: 'The amount is too low.',
    high: 'The amount is too high.',
    weather: 'The Sandbox page shows whether the fault is simulated.',
    wrong: 'Check this field: it does not have the expected form.',
    wrongIn: {
      cnpj: 'This CNPJ is not valid. Check its letters and digits.',
      payerDocument: 'This CPF or CNPJ is not valid. Check its digits and letters.',
      holderDocument: 'This CPF or CNPJ is not valid. Check its digits and letters.',
      email: 'This e-mail is not valid. Check the address.',
      payerEmail: 'This e-mail is not valid. Check the address.',
      phone: 'This phone is not valid. Enter area code and number.',
      pixKey: 'This key is not of the chosen type.',
      url: 'Use a public address that begins with https://.',
      returnUrl: 'Use an address that begins with https://.',
      expiresAt: 'Choose today or a day to come.',
      minAmount: 'The minimum can’t be above the maximum.',
      methods: 'Choose at least one payment method.',
      scopes: 'Choose at least one permission.',
      uses: 'Use a whole number, no smaller than that of payments so far.',
      logo: 'This image is not accepted. Choose another one.',
      currentPassword: 'The current password is wrong.',
      newPassword: 'The new password must differ from the current one.',
    } as Record<string, string>,
  },
);

const NOTHING = new Set<unknown>([undefined, '', null, 0]);

/** The words of a field for an issue of its contract. */
export function useIssueText(): (issue: Issue, sent: unknown) => string {
  const word = words[useLanguage()];
  return ({ code, path, origin, minimum, maximum }, sent) => {
    if (NOTHING.has(sent)) return word.missing;
    const size = origin === 'array' ? null : code;
    if (size === 'too_small') return origin === 'string' ? word.short(Number(minimum)) : word.low;
    if (size === 'too_big') return origin === 'string' ? word.long(Number(maximum)) : word.high;
    return word.wrongIn[String(path[0])] ?? word.wrong;
  };
}

/** The words at a field that the API refuses. */
export function useFieldText(): (field: string, error: unknown) => string {
  const { wrongIn } = words[useLanguage()];
  const errorText = useErrorText();
  return (field, error) => wrongIn[field] ?? errorText(error);
}

/** The words of a code. */
export function useCodeText(): (code: string) => string {
  const known: Record<string, string> & { UNKNOWN: string } = errorWords[useLanguage()];
  return (code) => known[code] ?? known.UNKNOWN;
}

/** The words of the catalogue for whatever was thrown. */
export function useErrorText(): (error: unknown) => string {
  const language = useLanguage();
  return (error) => {
    const text = textOf(error, errorWords[language]);
    const isWeather = error instanceof ApiError && error.code === 'PROVIDER_UNAVAILABLE';
    return isWeather && environment === 'sandbox' ? `${text} ${words[language].weather}` : text;
  };
}

function textOf(error: unknown, known: Record<string, string> & { UNKNOWN: string }): string {
  if (error instanceof ApiError) return known[error.code] ?? known.UNKNOWN;
  if (error instanceof ConnectionError) return known.SERVICE_UNAVAILABLE ?? known.UNKNOWN;
  return known.UNKNOWN;
}

/** The field of a form that a refusal is about, such as `payerDocument`. */
export function fieldOf(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  // The API names no field here, and a log-in has none of this name.
  if (error.code === 'INVALID_CREDENTIALS') return 'currentPassword';
  return error.field?.split('.')[0] || null;
}
