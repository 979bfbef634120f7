import { Refusal } from '@plataforma/kernel';

export const UNAVAILABLE = 'unavailable PROVIDER_UNAVAILABLE';
export const ERROR = 'provider_fault PROVIDER_ERROR';

export async function refusalOf(work: Promise<unknown>): Promise<string> {
  const { kind, code } = await fullRefusalOf(work);
  return `${kind} ${code}`;
}

export async function fullRefusalOf(work: Promise<unknown>): Promise<Refusal> {
  const outcome = await work.catch((error) => error);
  if (outcome instanceof Refusal) return outcome;
  throw new Error(`was not refused: ${JSON.stringify(outcome)}`, { cause: outcome });
}

export async function all<T>(pages: AsyncIterable<T[]>): Promise<T[][]> {
  const read: T[][] = [];
  for await (const page of pages) read.push(page);
  return read;
}
