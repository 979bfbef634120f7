import type { Words } from './pt.ts';

const counted = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

export const en: Words = {
  index: 1,
  locale: 'en',
  usage: (line) => `usage: plataforma ${line}`,
  noSuchCommand: (line) => `there is no command "${line}"; see plataforma --help`,
  askUrl: (usual) => `Address of the API [${usual}]: `,
  loggedInAs: (email, profile) => `Logged in as ${email}, in the profile ${profile}.`,
  askEmail: 'E-mail: ',
  askPassword: 'Password (not shown): ',
  askKey: 'API key (not shown): ',
  askSecret: 'Secret of the webhook (not shown): ',
  secretWithoutValue: '--secret has no value: the secret is asked for, and not shown',
  noKey: 'that is no API key (sk_sandbox_… or sk_live_…)',
  badUrl: (text) => `not an address: ${text}`,
  notApi: (url, api) =>
    `${url} is the dashboard, not the API: ${api === null ? 'name the API’s address' : `use ${api}`}`,
  needsHttps: (host) => `${host}: without https the key would cross the network in clear; use https://`,
  loggedIn: (url, file, days) => `Done: ${url}. The sandbox key is good for ${days} days and is in ${file}.`,
  keySaved: (url, file) => `Done: ${url}. The key is in ${file}.`,
  loggedOut: 'The keys were deleted from this computer. To end them now, revoke them in the dashboard.',
  wasLoggedOut: 'There were no keys.',
  needsLogin: 'log in first: plataforma login',
  needsBoth: 'PLATAFORMA_URL and PLATAFORMA_API_KEY count together: set both, of one place',
  needsLiveKey: 'there is no production key: make one in the dashboard and run plataforma login --key',
  sandboxOnly: 'trigger is for the sandbox only: without --live',
  consent: (action, url) => `PRODUCTION, ${url}\n${action}\nType "yes" to go on: `,
  yes: ['yes', 'y'],
  notDone: 'nothing was done',
  refused: (code, message) => `Refused: ${code}: ${message}`,
  requestId: (id) => `request ${id}`,
  unknown: 'Whether anything was done is unknown.',
  noAnswer: 'The API did not answer. Whether anything was done is unknown.',
  askAgain: (key) => `To ask again without doing it twice: --idempotency-key ${key}`,
  warning: (text) => `Warning of the sandbox: ${text}`,
  listening: (target) =>
    target === null
      ? 'Listening for events. With --forward-to 3000/webhooks they go to a server of yours as well.'
      : `Listening for events, which go to ${target}`,
  signedWith: (secret) => `Secret of the signature, always the same in this profile: ${secret}`,
  leaves: (host) => `Note: the events leave this computer, for ${host}.`,
  areLiveUpdates: (names) =>
    `${names}: comes only while a webhook of the account names that event, and may be missing.`,
  untilCtrlC: 'Ctrl-C ends it.',
  connection: {
    lost: 'No connection to the API; trying again …',
    found: 'Connected again: going on from where it was.',
  },
  notResumed: (ago) =>
    `The last listen ended ${ago} ago; what came since is not sent (--since ${ago.replace(/ (.).*/, '$1')} sends it).`,
  nothingListens: (url) =>
    `Nothing listens at ${url}: start your server there, or name another with --forward-to.`,
  otherSecret: (url) =>
    `What listens at ${url} expects another secret: give it the one that listen showed, or send to another port with --forward-to.`,
  counted: ({ events, delivered, failed }) =>
    [counted(events, 'event', 'events'), `${delivered} delivered`, `${failed} failed`].join(' · '),
  noSuchEvent: (name, all) => `there is no event ${name}; there are: ${all}`,
  badSince: (text) => `--since ${text}: write 30s, 10m, 1h or 2d`,
  triggers: (all) =>
    `usage: plataforma trigger <event|file.json> [--amount cents] [--external-id order]\n  ${all}`,
  triggered: (event) => `${event} was made to happen; plataforma listen shows it.`,
  stoppedAt: (step) =>
    `Stopped at ${step}, which may have been done; the steps above were. Another run begins with an order of its own.`,
  notCents: '--amount: cents, a whole number above zero',
  unreadable: (file, why) => `${file} can’t be read: ${why}`,
  notWritten: (why) => `the output could not be written: ${why}`,
  notInto: {
    ENOENT: 'folder does not exist',
    ENOTDIR: 'it leads through a file',
    EISDIR: 'it is a folder',
    EACCES: 'no permission to write there',
    EPERM: 'no permission to write there',
    EROFS: 'the disk is read-only',
    ENOSPC: 'the disk is full',
    ELOOP: 'the link leads to itself',
  },
  nothing: 'nothing found',
  pageOf: (page, pages, total) => `page ${page} of ${pages}, ${total} in all`,
  rows: (done, all) => `${done} of ${all} rows`,
  bytes: (bytes) => `${Math.ceil(bytes / 1000)} kB`,
  saved: (file, bytes) => `${file}: ${Math.ceil(bytes / 1000)} kB`,
  noDashboard: (url) => `${url} has no dashboard`,
  installMcp: (lines) => `the MCP server is not installed. Install it with:\n${lines}`,
  profileTaken: (name, url) => `the profile ${name} is of ${url}: name another with --profile, or log it out`,
  noPlatform: (file) => `no platform is running (${file}): start it with npm start`,
};
