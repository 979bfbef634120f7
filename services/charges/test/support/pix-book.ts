import { writeDynamicCode } from '@plataforma/brcode';
import { fromDecimal, newId, toDecimal } from '@plataforma/kernel';
import type { CobSolicitada } from './api-pix.ts';
import { createInfractions, createPixReturns } from './pix-returns.ts';

export interface Pix {
  endToEndId: string;
  /** Left out of money that asks for no charge. */
  txid?: string;
  valor: string;
  horario: string;
}

export interface Cob {
  txid: string;
  status: string;
  revisao: number;
  fields: CobSolicitada;
  createdAt: Date;
  payments: Pix[];
}

export interface Payment {
  /** In cents; the charge's amount when left out. */
  amount?: number | undefined;
  times?: number | undefined;
  /** Pays what is no longer to be paid, as nobody's bank should. */
  insists?: boolean;
  /** Stands in the provider's list of what it received, too. */
  isListed?: boolean;
}

/** The charges of a provider that keeps to API Pix, and what payers do with them. */
export function createPixBook() {
  const cobs = new Map<string, Cob>();
  const listed: Pix[] = [];
  const returns = createPixReturns();

  function receive(amount: number, txid?: string): Pix {
    const pix = {
      endToEndId: `E99999999${newId().replaceAll('-', '').slice(-23)}`,
      ...(txid && { txid }),
      valor: toDecimal(amount),
      horario: new Date().toISOString(),
    };
    returns.receive(pix.endToEndId, pix.valor);
    return pix;
  }

  return {
    returns,
    infractions: createInfractions(),
    listed,
    find: (txid: string) => cobs.get(txid),
    size: () => cobs.size,

    /** Asked twice, it is done once; null: what is paid or removed is not changed any more. */
    put(txid: string, fields: CobSolicitada): Cob | null {
      const known = cobs.get(txid);
      if (!known) {
        const cob = { txid, status: 'ATIVA', revisao: 0, fields, createdAt: new Date(), payments: [] };
        cobs.set(txid, cob);
        return cob;
      }
      if (JSON.stringify(known.fields) === JSON.stringify(fields)) return known;
      if (known.status !== 'ATIVA') return null;
      known.fields = fields;
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
    pay(txid: string, { amount, times = 1, insists = false, isListed = false }: Payment = {}): Pix[] {
      const cob = cobs.get(txid);
      if (!cob || (cob.status !== 'ATIVA' && !insists)) return [];
      const cents = amount ?? fromDecimal(cob.fields.valor.original) ?? 0;
      const made = Array.from({ length: times }, () => receive(cents, txid));
      cob.payments.push(...made);
      if (isListed) listed.push(...made);
      if (cob.status === 'ATIVA') cob.status = 'CONCLUIDA';
      return made;
    },

    /** Money to our key that no charge of this provider asks for; it shows in the list only. */
    payKey(amount: number, txid?: string): Pix {
      const pix = receive(amount, txid);
      listed.push(pix);
      return pix;
    },
  };
}

/** CobGerada, with the payments of CobCompleta when there are any. */
export function cobView({ txid, status, revisao, fields, createdAt, payments }: Cob) {
  const location = `pix.example.com/qr/v2/${txid}`;
  const { devedor, valor, chave, solicitacaoPagador, calendario } = fields;
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
