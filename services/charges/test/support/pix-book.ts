import { writeDynamicCode } from '@plataforma/brcode';
import { fromDecimal, newId, toDecimal } from '@plataforma/kernel';
import type { CobSolicitada } from './api-pix.ts';

export interface Pix {
  endToEndId: string;
  txid: string;
  valor: string;
  horario: string;
}

export interface Cob {
  txid: string;
  status: string;
  revisao: number;
  terms: CobSolicitada;
  createdAt: Date;
  payments: Pix[];
}

export interface Payment {
  /** In cents; the charge's amount when left out. */
  amount?: number;
  times?: number;
  /** Pays what is no longer to be paid, as nobody's bank should. */
  insists?: boolean;
}

/** The charges of a provider that keeps to API Pix, and what payers do with them. */
export function createPixBook() {
  const cobs = new Map<string, Cob>();

  return {
    find: (txid: string) => cobs.get(txid),
    size: () => cobs.size,

    /** Asked twice, it is done once; null: what is paid or removed is not changed any more. */
    put(txid: string, terms: CobSolicitada): Cob | null {
      const known = cobs.get(txid);
      if (!known) {
        const cob = { txid, status: 'ATIVA', revisao: 0, terms, createdAt: new Date(), payments: [] };
        cobs.set(txid, cob);
        return cob;
      }
      if (JSON.stringify(known.terms) === JSON.stringify(terms)) return known;
      if (known.status !== 'ATIVA') return null;
      known.terms = terms;
      known.revisao += 1;
      return known;
    },

    /** Null: it is not there, or paid or removed already. */
    remove(txid: string): Cob | null {
      const cob = cobs.get(txid);
      if (cob?.status !== 'ATIVA') return null;
      cob.status = 'REMOVIDA_PELO_USUARIO_RECEBEDOR';
      cob.revisao += 1;
      return cob;
    },

    /** The payments that were made: none when the charge can't be paid. */
    pay(txid: string, { amount, times = 1, insists = false }: Payment = {}): Pix[] {
      const cob = cobs.get(txid);
      if (!cob || (cob.status !== 'ATIVA' && !insists)) return [];
      const cents = amount ?? fromDecimal(cob.terms.valor.original) ?? 0;
      const made = Array.from({ length: times }, () => ({
        endToEndId: `E99999999${newId().replaceAll('-', '').slice(-23)}`,
        txid,
        valor: toDecimal(cents),
        horario: new Date().toISOString(),
      }));
      cob.payments.push(...made);
      if (cob.status === 'ATIVA') cob.status = 'CONCLUIDA';
      return made;
    },
  };
}

/** CobGerada, with the payments of CobCompleta when there are any. */
export function cobView({ txid, status, revisao, terms, createdAt, payments }: Cob) {
  const location = `pix.example.com/qr/v2/${txid}`;
  const { devedor, valor, chave, solicitacaoPagador, calendario } = terms;
  return {
    calendario: { criacao: createdAt.toISOString(), expiracao: calendario.expiracao },
    txid,
    revisao,
    location,
    status,
    devedor,
    valor,
    chave,
    solicitacaoPagador,
    pixCopiaECola: writeDynamicCode({ location, merchantName: 'Recebedor', merchantCity: 'Sao Paulo' }),
    ...(payments.length > 0 ? { pix: payments } : {}),
  };
}
