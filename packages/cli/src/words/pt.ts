const counted = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

export type Words = typeof pt;

export const pt = {
  /** The index of the Portuguese text in a pair of texts (Portuguese, English). */
  index: 0,
  locale: 'pt-BR',
  usage: (line: string) => `uso: plataforma ${line}`,
  noSuchCommand: (line: string) => `não há o comando "${line}"; veja plataforma --help`,
  askUrl: (usual: string) => `Endereço da API [${usual}]: `,
  loggedInAs: (email: string, profile: string) => `Entrou como ${email}, no perfil ${profile}.`,
  askEmail: 'E-mail: ',
  askPassword: 'Senha (não aparece): ',
  askKey: 'Chave de API (não aparece): ',
  askSecret: 'Segredo do webhook (não aparece): ',
  secretWithoutValue: '--secret vai sem valor: o segredo é pedido, e não aparece',
  noKey: 'isso não é uma chave de API (sk_sandbox_… ou sk_live_…)',
  badUrl: (text: string) => `não é um endereço: ${text}`,
  notApi: (url: string, api: string | null) =>
    `${url} é o painel, e não a API: ${api === null ? 'diga o endereço da API' : `use ${api}`}`,
  needsHttps: (host: string) => `${host}: sem https a chave iria aberta pela rede; use https://`,
  loggedIn: (url: string, file: string, days: number) =>
    `Pronto: ${url}. A chave do sandbox vale ${days} dias e está em ${file}.`,
  keySaved: (url: string, file: string) => `Pronto: ${url}. A chave está em ${file}.`,
  loggedOut: 'As chaves foram apagadas deste computador. Para que deixem de valer já, revogue-as no painel.',
  wasLoggedOut: 'Não havia chaves guardadas.',
  needsLogin: 'entre antes: plataforma login',
  needsBoth: 'PLATAFORMA_URL e PLATAFORMA_API_KEY valem juntas: defina as duas, do mesmo lugar',
  needsLiveKey: 'não há chave de produção: crie uma no painel e rode plataforma login --key',
  sandboxOnly: 'trigger existe só no sandbox: sem --live',
  consent: (action: string, url: string) => `PRODUÇÃO, ${url}\n${action}\nEscreva "sim" para continuar: `,
  yes: ['sim', 's'],
  notDone: 'nada foi feito',
  refused: (code: string, message: string) => `Recusado: ${code}: ${message}`,
  requestId: (id: string) => `requisição ${id}`,
  unknown: 'Não se sabe se algo foi feito.',
  noAnswer: 'A API não respondeu. Não se sabe se algo foi feito.',
  askAgain: (key: string) => `Para perguntar de novo sem fazer duas vezes: --idempotency-key ${key}`,
  warning: (text: string) => `Aviso do sandbox: ${text}`,
  listening: (target: string | null) =>
    target === null
      ? 'Escutando eventos. Com --forward-to 3000/webhooks eles vão também a um servidor seu.'
      : `Escutando eventos e enviando para ${target}`,
  signedWith: (secret: string) => `Segredo da assinatura, sempre o mesmo neste perfil: ${secret}`,
  leaves: (host: string) => `Atenção: os eventos saem deste computador, para ${host}.`,
  areLiveUpdates: (names: string) =>
    `${names}: chega só enquanto um webhook da conta pede esse evento pelo nome, e pode faltar.`,
  untilCtrlC: 'Ctrl-C termina.',
  connection: {
    lost: 'Sem conexão com a API; tentando de novo …',
    found: 'Conexão refeita: segue de onde parou.',
  },
  notResumed: (ago: string) =>
    `O último listen terminou há ${ago}; o que veio depois não é enviado (--since ${ago.replace(/ (.).*/, '$1')} envia).`,
  nothingListens: (url: string) =>
    `Nada escuta em ${url}: inicie o seu servidor lá, ou diga outro com --forward-to.`,
  otherSecret: (url: string) =>
    `Quem escuta em ${url} espera outro segredo: configure o que listen mostrou, ou envie a outra porta com --forward-to.`,
  counted: ({ events, delivered, failed }: { events: number; delivered: number; failed: number }) =>
    [
      counted(events, 'evento', 'eventos'),
      counted(delivered, 'entregue', 'entregues'),
      counted(failed, 'falhou', 'falharam'),
    ].join(' · '),
  noSuchEvent: (name: string, all: string) => `não há o evento ${name}; há: ${all}`,
  badSince: (text: string) => `--since ${text}: escreva 30s, 10m, 1h ou 2d`,
  triggers: (all: string) =>
    `uso: plataforma trigger <evento|arquivo.json> [--amount centavos] [--external-id pedido]\n  ${all}`,
  triggered: (event: string) => `${event} foi provocado; veja com "plataforma listen".`,
  stoppedAt: (step: string) =>
    `Parou em ${step}, que talvez tenha sido feito; os passos acima foram. Rodar de novo começa outro pedido.`,
  notCents: '--amount: centavos, um número inteiro maior que zero',
  unreadable: (file: string, why: string) => `não foi possível ler ${file}: ${why}`,
  notWritten: (why: string) => `não foi possível gravar a saída: ${why}`,
  notInto: {
    ENOENT: 'a pasta não existe',
    ENOTDIR: 'o caminho passa por um arquivo',
    EISDIR: 'é uma pasta',
    EACCES: 'sem permissão para gravar ali',
    EPERM: 'sem permissão para gravar ali',
    EROFS: 'o disco é só de leitura',
    ENOSPC: 'o disco está cheio',
    ELOOP: 'o link leva a ele mesmo',
  },
  nothing: 'nada encontrado',
  pageOf: (page: number, pages: number, total: number) => `página ${page} de ${pages}, ${total} ao todo`,
  rows: (done: number, all: number) => `${done} de ${all} linhas`,
  bytes: (bytes: number) => `${Math.ceil(bytes / 1000)} kB`,
  saved: (file: string, bytes: number) => `${file}: ${Math.ceil(bytes / 1000)} kB`,
  noDashboard: (url: string) => `${url} não tem painel`,
  installMcp: (lines: string) => `o servidor MCP não está instalado. Instale com:\n${lines}`,
  profileTaken: (name: string, url: string) =>
    `o perfil ${name} é de ${url}: diga outro com --profile, ou saia dele (logout)`,
  noPlatform: (file: string) => `não há plataforma rodando (${file}): inicie com npm start`,
};
