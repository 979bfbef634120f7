/**
 * Returns a function that runs work under a name. Calls with the same name run one at a time, in their order.
 * Calls with different names run in parallel.
 */
export function oneAtATimeByName(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const result = (last.get(name) ?? Promise.resolve()).then(work);
    const ended = result
      .catch(() => undefined)
      .then(() => {
        if (last.get(name) === ended) last.delete(name);
      });
    last.set(name, ended);
    return result;
  };
}
