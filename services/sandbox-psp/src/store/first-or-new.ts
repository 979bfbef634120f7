/**
 * Makes an item once for a key; a repeated request gets the first item. If two requests run at once, a unique
 * constraint lets one succeed and rolls the other back.
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
