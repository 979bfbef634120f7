/** The version of this package, which must equal the version in package.json. */
export const VERSION = '0.6.0';
