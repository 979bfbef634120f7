interface Files {
  failPointsFile: string;
  clockFile: string;
  /** The name of a mutation. */
  mutation?: string | undefined;
}

const moduleAt = (name: string) => new URL(name, import.meta.url).href;

/** What the environment of a process holds in addition, so that it can be broken from inside. */
export function insideEnvironment({ failPointsFile, clockFile, mutation }: Files): Record<string, string> {
  const options = [
    '--conditions=faults',
    `--import=${moduleAt('./clock.ts')}`,
    `--import=${moduleAt('./edits.ts')}`,
  ];
  return {
    NODE_OPTIONS: options.join(' '),
    FAIL_POINTS_FILE: failPointsFile,
    CLOCK_FILE: clockFile,
    ...(mutation ? { MUTATION: mutation } : {}),
  };
}
