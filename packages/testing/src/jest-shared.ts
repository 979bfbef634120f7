import { createRequire } from 'node:module';

interface Transformed {
  code: string;
}

interface Options {
  config: { transform: readonly (readonly [string, string, unknown])[] };
}

/**
 * A stub in place of a package's module: what the worker itself has loaded, once for all its files. Outside of tests,
 * where jest transforms too, the module is as it is.
 */
export function process(source: string, path: string, options: Options): Transformed {
  const { code } = path.endsWith('.ts') ? compiled(source, path, options) : { code: source };
  const own = `(function () {\n${code}\n}).call(module.exports);`;
  return {
    code: `if (typeof requireOnce === 'function') module.exports = requireOnce(${JSON.stringify(path)}); else ${own}`,
  };
}

export function getCacheKey(_source: string, path: string): string {
  return `shared 3 ${path} ${_source.length}`;
}

function compiled(source: string, path: string, options: Options): Transformed {
  const [, file = '', settings] = options.config.transform.find(([, each]) => each.includes('swc')) ?? [];
  return createRequire(import.meta.url)(file)
    .createTransformer(settings)
    .process(source, path, options);
}
