interface Options {
  conditions?: readonly string[];
  defaultResolver(path: string, options: Options): string;
}

/** Some packages export only to `import`, but tests run as CommonJS. */
export function sync(path: string, options: Options): string {
  try {
    return options.defaultResolver(path, options);
  } catch (error) {
    try {
      return options.defaultResolver(path, { ...options, conditions: ['import', 'node', 'default'] });
    } catch {
      throw error;
    }
  }
}
