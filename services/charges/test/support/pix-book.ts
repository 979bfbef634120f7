import { writeDynamicCode } from '@plataforma/brcode';
import { fromDecimal, newId, toDecimal } from '@plataforma/kernel';
import type { CobSolicitada } from './api-pix.ts';
import { createInfractions, createPixReturns } from './pix-returns.ts';

export interface Pix {
  endToEndId: string;
  /** Missing for a payment without a charge. */
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
  /** The amount in cents. The default is the charge's amount. */
  amount?: number | undefined;
  times?: number | undefined;
  /** Pays a charge that can no longer be paid, which a real bank should refuse. */
  insists?: boolean;
  /** True when the provider's list of received payments also has it. */
  isListed?: boolean;
}

/** Records the charges of a provider with API Pix, and their payments. */
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

    /** Creates or changes a charge; a repetition changes nothing. Returns null when it is paid or removed. */
    put(txid: string, fields: CobSolicitada): Cob | null {
      const existing = cobs.get(txid);
      if (!existing) {
        const cob = { txid, status: 'ATIVA', revisao: 0, fields, createdAt: new Date(), payments: [] };
        cobs.set(txid, cob);
        return cob;
      }
      if (JSON.stringify(existing.fields) === JSON.stringify(fields)) return existing;
      if (existing.status !== 'ATIVA') return null;
      existing.fields = fields;
      existing.revisao += 1;
      return existing;
    },

    /** Removes a charge. Returns null when it is missing, paid or removed. */
    remove(txid: string): Cob | null {
      const cob = cobs.get(txid);
      if (cob?.status !== 'ATIVA') return null;
      cob.status = 'REMOVIDA_PELO_USUARIO_RECEBEDOR';
      cob.revisao += 1;
      return cob;
    },

    /** Pays a charge and returns the payments, or none when it can't be paid. */
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

    /** Makes a payment to the platform's key without a charge. Only the list shows it. */
    payKey(amount: number, txid?: string): Pix {
      const pix = receive(amount, txid);
      listed.push(pix);
      return pix;
    },
  };
}

/** Returns a CobGerada, with the payments of a CobCompleta if it has any. */
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
