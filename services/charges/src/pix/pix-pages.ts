import type { Log } from '@plataforma/observe';
import { z } from 'zod';
import { wholeNumber } from './pix-fields.ts';
import type { PixHttp } from './pix-http.ts';
import { unusable } from './pix-problem.ts';

export interface Period {
  from: Date;
  to: Date;
}

interface Listing<T> {
  path: string;
  period: Period;
  /** The field of the answer that contains the items. */
  field: string;
  item: z.ZodType<T>;
  /** True when a provider may lack the path. The list is then empty. */
  isOptional?: boolean;
}

const PAGE_SIZE = 500;

const paged = z.object({
  parametros: z.object({ paginacao: z.object({ quantidadeDePaginas: wholeNumber }) }),
});
const page = (field: string) => z.object({ [field]: z.array(z.unknown()).nullish() });

/**
 * Reads lists of API Pix page by page. Leaves out an item of an unknown shape, so that the other items of the
 * page are still read.
 */
export function createPixPages(http: PixHttp, log: Log) {
  async function read<T>({ path, period, field, item, isOptional }: Listing<T>, index: number) {
    const answer = await http.send({ method: 'GET', path: `${path}?${queryOf(period, index)}` });
    if (answer.status === 404 && isOptional) return { items: [], isLast: true };
    if (answer.status !== 200) throw unusable(`answered ${answer.status} when asked for a list`);
    const paging = paged.safeParse(answer.body);
    const content = page(field).safeParse(answer.body);
    if (!paging.success || !content.success) throw unusable('answered a list of an unknown shape');
    const found = content.data[field] ?? [];
    const items = found.flatMap((each) => item.safeParse(each).data ?? []);
    const skipped = found.length - items.length;
    if (skipped > 0) log.warn({ path, skipped }, 'Pix provider listed items of an unknown shape');
    const { quantidadeDePaginas } = paging.data.parametros.paginacao;
    return { items, isLast: found.length === 0 || index + 1 >= quantidadeDePaginas };
  }

  return async function* pages<T>(listing: Listing<T>): AsyncIterable<T[]> {
    for (let index = 0, isLast = false; !isLast; index += 1) {
      const page = await read(listing, index);
      if (page.items.length > 0) yield page.items;
      isLast = page.isLast;
    }
  };
}

function queryOf({ from, to }: Period, index: number): URLSearchParams {
  return new URLSearchParams({
    inicio: from.toISOString(),
    fim: to.toISOString(),
    'paginacao.paginaAtual': String(index),
    'paginacao.itensPorPagina': String(PAGE_SIZE),
  });
}
