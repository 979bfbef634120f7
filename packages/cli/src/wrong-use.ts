/** The command line says something that is none of its commands: exit code 2, and nothing was sent. */
export class WrongUse extends Error {}
