/** The version in this package's package.json. */
export const VERSION = '0.6.0';
