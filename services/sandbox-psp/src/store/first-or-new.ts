/**
 * Returns the existing item, or creates it. If two equal requests run at the same time, a unique constraint
 * makes one transaction fail. The failed request then returns the item that the other request created.
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
