import { COMMON_PASSWORDS } from './common-passwords.ts';

export type Weakness = 'common' | 'personal';

/** The number of characters that a password needs besides the words of the account. */
const OWN_CHARACTERS = 5;
/** The shortest word that is compared, because shorter words occur in too many good passwords. */
const SHORTEST_WORD = 4;

let common: ReadonlySet<string> | undefined;

/**
 * Returns why a password is easy to guess, or null. `common`: a most common password, also followed by digits
 * or punctuation, or one to three repeated characters. `personal`: mostly words of `about`, such as the
 * company's name and the e-mail address.
 */
export function weaknessOf(password: string, about: readonly string[] = []): Weakness | null {
  common ??= new Set(COMMON_PASSWORDS.trim().split(/\s+/));
  const lower = password.trim().toLowerCase();
  const letters = lower.replace(/[^a-z]+$/, '');
  if (common.has(lower) || (letters.length >= 8 && common.has(letters))) return 'common';
  if (/^(.{1,3})\1*$/.test(lower)) return 'common';
  return isPersonal(lower, about) ? 'personal' : null;
}

function isPersonal(lower: string, about: readonly string[]): boolean {
  const words = about.flatMap((text) => {
    const pieces = plain(text).split(/[^a-z0-9]+/);
    return [pieces.join(''), ...pieces].filter((word) => word.length >= SHORTEST_WORD);
  });
  const longestFirst = [...new Set(words)].sort((one, other) => other.length - one.length);
  const bare = plain(lower).replace(/[^\p{L}\p{N}]/gu, '');
  const left = longestFirst.reduce((text, word) => text.replaceAll(word, ''), bare);
  return left.length < bare.length && left.length < OWN_CHARACTERS;
}

/** Returns the text in lower case and without accents, so that `ana` matches `Aná`. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
