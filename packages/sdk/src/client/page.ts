import type { Meta } from '@plataforma/contracts';

/** One page of a list. */
export interface Page<Item> {
  data: Item[];
  meta: Meta;
}
