import type { PeerAnswer } from '@plataforma/http';
import {
  hasCnpjShape,
  hasCpfShape,
  maskedDocument,
  normaliseDocument,
  visibleLine,
} from '@plataforma/kernel';
import { z } from 'zod';

/** The owner of a Pix key, as the provider names it. A CPF has hidden digits. */
export interface Recipient {
  name: string;
  document: string | null;
  bankName: string | null;
}

export interface RecipientClient {
  /**
   * Asks the provider for the owner of a Pix key. Returns null if no account has the key. Throws
   * PROVIDER_UNAVAILABLE or PROVIDER_ERROR, as a PayoutClient does.
   */
  findRecipient(pixKey: string): Promise<Recipient | null>;
}

/** The longest name that API Pix 2.9.0 allows, in characters. */
export const LONGEST_NAME = 200;

const name = z
  .string()
  .transform((text) => visibleLine(text).slice(0, LONGEST_NAME))
  .refine((text) => text !== '');
/** A CPF with hidden digits. A CPF in full is masked here, because no caller may see it. */
const cpf = z
  .string()
  .transform((text) => (hasCpfShape(text) ? maskedDocument(text) : text))
  .refine((text) => /^\*{3}\.\d{3}\.\d{3}-\*{2}$/.test(text));
const cnpj = z.string().transform(normaliseDocument).refine(hasCnpjShape);
/** The documents in the provider's description of a key's owner. Unreadable documents are omitted. */
export const ownerDocuments = {
  cpf: cpf.optional().catch(undefined),
  cnpj: cnpj.optional().catch(undefined),
};

const found = z.object({
  chave: z.string(),
  titular: z.object({ nome: name, ...ownerDocuments }),
  banco: z.object({ nome: name }).optional().catch(undefined),
});
const unknownKey = z.object({ nome: z.literal('chave_nao_encontrada') });

/** The request for the owner. The key is in the body, because proxies and servers log the paths of requests. */
export function recipientRequest(pixKey: string) {
  return { method: 'POST', path: '/v2/gn/pix/consulta-chave', body: { chave: pixKey } } as const;
}

/**
 * Reads the answer about a key's owner. Returns null if no account has the key, and undefined if the answer
 * cannot be used, for example because it is about another key.
 */
export function recipientIn({ status, body }: PeerAnswer, pixKey: string): Recipient | null | undefined {
  if (status === 404 && unknownKey.safeParse(body).success) return null;
  const answer = status === 200 ? found.safeParse(body).data : undefined;
  if (answer?.chave !== pixKey) return undefined;
  const { titular, banco } = answer;
  return {
    name: titular.nome,
    document: titular.cnpj ?? titular.cpf ?? null,
    bankName: banco?.nome ?? null,
  };
}
