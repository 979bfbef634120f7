/** Of this package, as its package.json has it. */
export const VERSION = '0.6.0';
