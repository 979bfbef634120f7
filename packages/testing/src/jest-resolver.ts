interface Options {
  conditions?: readonly string[];
  defaultResolver(path: string, options: Options): string;
}

/**
 * Tests run as CommonJS, but some packages offer only exports for `import`. For these packages the resolver
 * uses the conditions of `import`.
 */
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
