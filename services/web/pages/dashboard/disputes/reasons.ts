import { catalogue, useWords } from '../../shared/language.ts';

const words = catalogue(
  {
    FRAUD: 'Fraude',
    NOT_RECEIVED: 'Produto não recebido',
    NOT_AS_DESCRIBED: 'Diferente do anunciado',
    DUPLICATE: 'Cobrança em dobro',
    CANCELLED: 'Compra cancelada',
    AUTHORIZATION: 'Sem autorização do emissor',
    OPERATIONAL: 'Falha operacional',
    OTHER: 'Outro motivo',
  },
  {
    FRAUD: 'Fraud',
    NOT_RECEIVED: 'Goods not received',
    NOT_AS_DESCRIBED: 'Not as described',
    DUPLICATE: 'Charged twice',
    CANCELLED: 'Purchase cancelled',
    AUTHORIZATION: 'Not authorised by the issuer',
    OPERATIONAL: 'Operational flaw',
    OTHER: 'Another reason',
  },
);

/** The words of a dispute's reason. */
export function useReasonText(): (reason: string) => string {
  const known: Readonly<Record<string, string>> = useWords(words);
  return (reason) => known[reason] ?? reason;
}
