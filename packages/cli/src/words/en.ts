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
  secretWithoutValue: '--secret takes no value: the command asks for the secret and does not show it',
  noKey: 'this is not an API key (sk_sandbox_… or sk_live_…)',
  badUrl: (text) => `not an address: ${text}`,
  notApi: (url, api) =>
    `${url} is the dashboard, not the API: ${api === null ? 'give the address of the API' : `use ${api}`}`,
  needsHttps: (host) => `${host}: without https the key would cross the network unencrypted; use https://`,
  loggedIn: (url, file, days) => `Done: ${url}. The sandbox key is valid for ${days} days and is in ${file}.`,
  keySaved: (url, file) => `Done: ${url}. The key is in ${file}.`,
  loggedOut:
    'The keys were deleted from this computer. They stay valid until they expire or you revoke them in the dashboard.',
  wasLoggedOut: 'No keys were stored.',
  needsLogin: 'log in first: plataforma login',
  needsBoth: 'PLATAFORMA_URL and PLATAFORMA_API_KEY belong together: set both, for the same installation',
  needsLiveKey: 'there is no production key: create one in the dashboard and run plataforma login --key',
  sandboxOnly: 'trigger works only in the sandbox: omit --live',
  consent: (action, url) => `PRODUCTION, ${url}\n${action}\nType "yes" to continue: `,
  yes: ['yes', 'y'],
  notDone: 'nothing was done',
  refused: (code, message) => `Refused: ${code}: ${message}`,
  requestId: (id) => `request ${id}`,
  unknown: 'The outcome is unknown: the request may have been done.',
  noAnswer: 'The API did not answer, so that the outcome is unknown.',
  askAgain: (key) => `To send the request again without a second change: --idempotency-key ${key}`,
  warning: (text) => `Sandbox warning: ${text}`,
  listening: (target) =>
    target === null
      ? 'Listening for events. --forward-to 3000/webhooks also sends them to your server.'
      : `Listening for events and sending them to ${target}`,
  signedWith: (secret) => `Signing secret, always the same in this profile: ${secret}`,
  leaves: (host) => `Note: the events leave this computer and go to ${host}.`,
  areLiveUpdates: (names) =>
    `${names}: arrives only while a webhook of the account names this event, and may be missing.`,
  untilCtrlC: 'Ctrl-C ends it.',
  connection: {
    lost: 'No connection to the API; retrying …',
    found: 'Connected again; listening resumes after the last event.',
  },
  notResumed: (ago) =>
    `The last listen ended ${ago} ago. Later events are not sent; --since ${ago.replace(/ (.).*/, '$1')} sends them.`,
  nothingListens: (url) =>
    `Nothing listens at ${url}: start your server there, or give another address with --forward-to.`,
  otherSecret: (url) =>
    `The server at ${url} expects another secret: configure the secret above, or set another port with --forward-to.`,
  counted: ({ events, delivered, failed }) =>
    [counted(events, 'event', 'events'), `${delivered} delivered`, `${failed} failed`].join(' · '),
  noSuchEvent: (name, all) => `there is no event ${name}; the events are: ${all}`,
  badSince: (text) => `--since ${text}: write 30s, 10m, 1h or 2d`,
  triggers: (all) =>
    `usage: plataforma trigger <event|file.json> [--amount cents] [--external-id order]\n  ${all}`,
  triggered: (event) => `The event ${event} was triggered; plataforma listen shows it.`,
  stoppedAt: (step) =>
    `Stopped at ${step}, which may have been done; the steps above were done. Another run creates a new order.`,
  notCents: '--amount: must be a whole number of cents above zero',
  unreadable: (file, why) => `cannot read ${file}: ${why}`,
  notWritten: (why) => `cannot write the output: ${why}`,
  notInto: {
    ENOENT: 'the folder does not exist',
    ENOTDIR: 'the path leads through a file',
    EISDIR: 'the path is a folder',
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
  profileTaken: (name, url) =>
    `the profile ${name} belongs to ${url}: choose another with --profile, or log it out`,
  noPlatform: (file) => `no platform is running (${file}): start it with npm start`,
};
