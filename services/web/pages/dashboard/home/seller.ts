import { storeOf } from '../../shared/store.ts';

/** The kinds of sellers: `message` sends payment links by message, and `site` charges on its own site. */
export const sellers = ['message', 'site'] as const;
export type Seller = (typeof sellers)[number];

const STORAGE_KEY = 'seller';
const stored = localStorage.getItem(STORAGE_KEY);
const current = storeOf<Seller | undefined>(sellers.find((each) => each === stored));

/** Returns the kind of seller that the user chose in this browser, if any. */
export const useSeller = current.use;

export function setSeller(seller: Seller): void {
  localStorage.setItem(STORAGE_KEY, seller);
  current.set(seller);
}
