/**
 * A stub in place of a package's module: what the worker itself has loaded, once for all its files. Outside of tests,
 * where jest transforms too, the module is as it is. Not for packages whose plain objects are compared with a test's own:
 * those are of another realm. Nor for one that another copy of a shared package would be compared with, as knex's pg.
 */
export function process(source: string, path: string): { code: string } {
  const own = `(function () {\n${source}\n}).call(module.exports);`;
  return {
    code: `if (typeof requireOnce === 'function') module.exports = requireOnce(${JSON.stringify(path)}); else ${own}`,
  };
}

export function getCacheKey(_source: string, path: string): string {
  return `shared 4 ${path}`;
}
