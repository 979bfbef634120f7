import { fromDecimal, newId, toDecimal } from '@plataforma/kernel';

export type ReturnStatus = 'EM_PROCESSAMENTO' | 'DEVOLVIDO' | 'NAO_REALIZADO';

/** A return of money, as API Pix 2.9.0 shows it (Devolucao). */
export interface Devolucao {
  id: string;
  rtrId: string;
  valor: string;
  horario: { solicitacao: string };
  status: ReturnStatus;
  motivo?: string;
}

/** A received payment. It may have no charge. */
interface Receipt {
  valor: string;
  devolucoes: Devolucao[];
  /** The outcome of all returns that are requested from now on. */
  becomes: Pick<Devolucao, 'status' | 'motivo'>;
}

/**
 * Creates a record of the returns of payments at a provider. A repeated return with the same id moves no
 * money. All returns of a payment together never exceed its amount.
 */
export function createPixReturns() {
  const receipts = new Map<string, Receipt>();
  const receiptOf = (endToEndId: string) => {
    const receipt = receipts.get(endToEndId);
    if (!receipt) throw new Error(`there is no payment ${endToEndId}`);
    return receipt;
  };

  return {
    receive(endToEndId: string, valor: string): void {
      receipts.set(endToEndId, { valor, devolucoes: [], becomes: { status: 'DEVOLVIDO' } });
    },
    /** Sets the outcome of all later returns of this payment. */
    willBe(endToEndId: string, status: ReturnStatus, motivo?: string): void {
      receiptOf(endToEndId).becomes = { status, ...(motivo && { motivo }) };
    },
    /** Ends all pending returns of this payment. */
    end(endToEndId: string, status: ReturnStatus, motivo?: string): void {
      for (const devolucao of receiptOf(endToEndId).devolucoes) {
        if (devolucao.status === 'EM_PROCESSAMENTO') Object.assign(devolucao, { status, motivo });
      }
    },
    of: (endToEndId: string): Devolucao[] => receipts.get(endToEndId)?.devolucoes ?? [],
    find: (endToEndId: string, id: string): Devolucao | undefined =>
      receipts.get(endToEndId)?.devolucoes.find((each) => each.id === id),

    /**
     * Requests a return. Returns null when the payment is unknown, its remaining amount is too small, or the
     * id was already used for another amount.
     */
    put(endToEndId: string, id: string, valor: string): Devolucao | null {
      const receipt = receipts.get(endToEndId);
      if (!receipt) return null;
      const existing = receipt.devolucoes.find((each) => each.id === id);
      if (existing) return existing.valor === valor ? existing : null;
      if (cents(valor) > cents(receipt.valor) - claimed(receipt)) return null;
      const devolucao = {
        id,
        rtrId: `D99999999${newId().replaceAll('-', '').slice(-23)}`,
        valor,
        horario: { solicitacao: new Date().toISOString() },
        ...receipt.becomes,
      };
      receipt.devolucoes.push(devolucao);
      return devolucao;
    },
  };
}

const cents = (valor: string) => fromDecimal(valor) ?? 0;

function claimed({ devolucoes }: Receipt): number {
  return devolucoes
    .filter(({ status }) => status !== 'NAO_REALIZADO')
    .reduce((sum, { valor }) => sum + cents(valor), 0);
}

/** A report of a payer's bank that contests a payment (MED), with the field names of one provider's API. */
export interface Infracao {
  idInfracao: string;
  endToEndId: string;
  txid: string | null;
  valor: string;
  motivo: string;
  descricao: string;
  status: string;
  prazo: string;
  criacao: string;
}

export interface Defesa {
  descricao: string;
  documentos: string[];
  arquivos?: string[] | undefined;
}

interface Arquivo {
  id: string;
  nome: string;
  tipo: string;
  /** The content in base64. */
  conteudo: string;
}

const DAY_MS = 86_400_000;

export function createInfractions() {
  const infractions: Infracao[] = [];
  const defenses = new Map<string, Defesa>();
  const files = new Map<string, Arquivo[]>();

  return {
    report(endToEndId: string, amount: number, changes: Partial<Infracao> = {}): Infracao {
      const infracao = {
        idInfracao: newId(),
        endToEndId,
        txid: null,
        valor: toDecimal(amount),
        motivo: 'FRAUD',
        descricao: 'não fui eu',
        status: 'ABERTA',
        prazo: new Date(Date.now() + 7 * DAY_MS).toISOString(),
        criacao: new Date().toISOString(),
        ...changes,
      };
      infractions.push(infracao);
      return infracao;
    },
    all: () => infractions,
    defenseOf: (id: string) => defenses.get(id),
    filesOf: (id: string) => files.get(id) ?? [],
    /** Accepts each file once. Returns false for an unknown infraction. */
    takeFile(id: string, file: Arquivo): boolean {
      if (!infractions.some(({ idInfracao }) => idInfracao === id)) return false;
      const others = (files.get(id) ?? []).filter((one) => one.id !== file.id);
      files.set(id, [...others, file]);
      return true;
    },
    /** Records the first defense and ignores later ones. */
    defend(id: string, defesa: Defesa): Infracao | null {
      const infracao = infractions.find(({ idInfracao }) => idInfracao === id);
      if (!infracao) return null;
      if (!defenses.has(id)) defenses.set(id, defesa);
      infracao.status = 'EM_DEFESA';
      return infracao;
    },
  };
}
