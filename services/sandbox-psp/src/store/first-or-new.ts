/**
 * Makes a thing once for a key. Whoever comes second gets what the first one made, also when both come at the same
 * moment: then a constraint lets one of them through, and undoes what the other has begun.
 */
export async function firstOrNew<T>(find: () => Promise<T | undefined>, make: () => Promise<T>): Promise<T> {
  const existing = await find();
  if (existing !== undefined) return existing;
  try {
    return await make();
  } catch (error) {
    const first = await find();
    if (first !== undefined) return first;
    throw error;
  }
}
