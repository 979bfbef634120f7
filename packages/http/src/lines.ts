/**
 * A caller and its neighbourhood: a group of callers, for example those of one range of addresses. The queue
 * gives equally many turns to each neighbourhood.
 */
export interface Caller {
  neighbourhood: string;
  name: string;
}

/**
 * Creates a queue of work from many callers. Neighbourhoods, which are groups of callers, take turns. Within
 * a neighbourhood, its callers take turns.
 */
export function createLines<Work>() {
  const neighbourhoods = new Map<string, Map<string, Work[]>>();

  return {
    isEmpty: () => neighbourhoods.size === 0,
    add({ neighbourhood, name }: Caller, work: Work): void {
      const callers = neighbourhoods.get(neighbourhood) ?? new Map<string, Work[]>();
      neighbourhoods.set(neighbourhood, callers);
      const line = callers.get(name);
      if (line) line.push(work);
      else callers.set(name, [work]);
    },
    next(): Work | undefined {
      const callers = takeFirst(neighbourhoods);
      const line = callers && takeFirst(callers.value);
      const work = line?.value.shift();
      if (line && line.value.length > 0) callers.value.set(line.key, line.value);
      if (callers && callers.value.size > 0) neighbourhoods.set(callers.key, callers.value);
      return work;
    },
  };
}

/**
 * Removes and returns the first entry of a map. An entry that the caller then sets again becomes the last
 * entry.
 */
function takeFirst<V>(map: Map<string, V>): { key: string; value: V } | undefined {
  for (const [key, value] of map) {
    map.delete(key);
    return { key, value };
  }
  return undefined;
}
