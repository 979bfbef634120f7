import type { Meta } from '@plataforma/contracts';

export interface Page<Item> {
  data: Item[];
  meta: Meta;
}
