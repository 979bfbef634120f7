import { type PixKeyType, possiblePixKeyTypes } from '@plataforma/brcode';
import { type Environment, Refusal } from '@plataforma/kernel';
import { readPixKey } from './pix-key.ts';

/**
 * Returns a key in the format of the DICT, with its type. Recognizes a type that the caller did not name.
 * Throws VALIDATION_ERROR if the key is malformed, or if it can be both a CPF and a mobile number.
 */
export function recognizePixKey(
  given: { pixKey: string; pixKeyType?: PixKeyType | undefined },
  environment: Environment,
): { pixKey: string; pixKeyType: PixKeyType } {
  const [first, second] = given.pixKeyType ? [given.pixKeyType] : possiblePixKeyTypes(given.pixKey);
  if (!first) throw invalid('pixKey: must be a Pix key');
  if (second) throw invalid('pixKeyType: is required, because the key can be a CPF or a mobile number');
  return { pixKeyType: first, pixKey: readPixKey(first, given.pixKey, environment) };
}

function invalid(message: string): Refusal {
  return new Refusal('invalid', 'VALIDATION_ERROR', message);
}
