import { writeDynamicCode } from '@plataforma/brcode';
import { fromDecimal, newId, toDecimal } from '@plataforma/kernel';
import type { CobSolicitada } from './api-pix.ts';
import { createInfractions, createPixReturns } from './pix-returns.ts';

export interface Pix {
  endToEndId: string;
  /** The txid of the charge that the payment names; undefined when the payment names no charge. */
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
  /** The amount in cents. The default is the amount of the charge. */
  amount?: number | undefined;
  times?: number | undefined;
  /** True to pay even a charge that can no longer be paid, although a real bank should refuse that. */
  insists?: boolean;
  /** True to show the payment in the provider's list of received payments too. */
  isListed?: boolean;
}

/** Creates a record of the charges at a provider with API Pix, and of their payments. */
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

    /**
     * Creates or changes a charge; a repeated request changes nothing. Returns null when the charge is paid
     * or removed.
     */
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

    /** Pays a charge and returns its payments. Returns an empty list when the charge can't be paid. */
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

    /**
     * Makes a payment to the platform's Pix key, not to a charge. The provider's list of received payments
     * shows the payment, but no charge shows it.
     */
    payKey(amount: number, txid?: string): Pix {
      const pix = receive(amount, txid);
      listed.push(pix);
      return pix;
    },
  };
}

/** Returns a charge in the form CobGerada. If the charge has payments, they are added as in CobCompleta. */
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
