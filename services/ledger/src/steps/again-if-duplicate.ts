import { isDuplicate } from '@plataforma/data';

/**
 * One reference told for two merchants at once is held by no common lock: whoever comes second is told by the
 * database, and when asked again by the books.
 */
export async function againIfDuplicate<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (isDuplicate(error, 'journal_entries_fact')) return attempt();
    throw error;
  }
}
