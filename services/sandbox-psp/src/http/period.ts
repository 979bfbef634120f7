import { z } from 'zod';
import type { Page } from '../store/table.ts';

const DEFAULT_PAGE_SIZE = 100;

const moment = z.iso.datetime({ offset: true, abort: true }).transform((text) => new Date(text));
const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number);

const fields = {
  inicio: moment,
  fim: moment,
  'paginacao.paginaAtual': wholeNumber.default(0),
  'paginacao.itensPorPagina': wholeNumber.pipe(z.int().min(1).max(1_000)).default(DEFAULT_PAGE_SIZE),
};

/** Returns the schema of a query with a period, a page and the given `filters` (API Pix 2.9.0, GET /pix). */
export function periodQuery<F extends z.ZodRawShape>(filters: F) {
  return z.strictObject({ ...fields, ...filters });
}

export function isInOrder({ inicio, fim }: { inicio: Date; fim: Date }): boolean {
  return inicio <= fim;
}

export const outOfOrder = { message: 'é anterior a inicio', path: ['fim'] };

export function pageOf(query: { 'paginacao.paginaAtual': number; 'paginacao.itensPorPagina': number }): Page {
  return { index: query['paginacao.paginaAtual'], size: query['paginacao.itensPorPagina'] };
}

/** Returns the object `paginacao` of a list's response (API Pix, schema Paginacao). */
export function pagingView({ index, size }: Page, total: number) {
  return {
    paginaAtual: index,
    itensPorPagina: size,
    quantidadeDePaginas: Math.max(1, Math.ceil(total / size)),
    quantidadeTotalDeItens: total,
  };
}
