export const help = {
  title: [
    'plataforma: a API da Plataforma na linha de comando',
    'plataforma: the API of Plataforma on the command line',
  ],
  usage: ['Uso: plataforma <comando> [opções]', 'Usage: plataforma <command> [options]'],
  commands: ['Comandos', 'Commands'],
  resources: [
    'Recursos da API (plataforma <recurso> <ação>)',
    'Resources of the API (plataforma <resource> <action>)',
  ],
  options: ['Opções de todos os comandos', 'Options of every command'],
  profile: ['a conta, se há várias (default)', 'the account, if there are several (default)'],
  lang: ['o idioma; sem ela, o do sistema', 'the language; by default the system’s'],
  json: ['a resposta como JSON', 'the response as JSON'],
  live: ['produção; cada mudança pergunta antes', 'production; the command asks before each change'],
  exits: [
    'Código de saída: 0 feito · 1 recusado pela API · 2 uso errado · 3 não se sabe · 130, 143 interrompido',
    'Exit codes: 0 done · 1 refused by the API · 2 wrong use · 3 outcome unknown · 130, 143 interrupted',
  ],
} as const;

export const about = {
  login: [
    'entra e guarda uma chave do sandbox por 90 dias; --key lê uma pronta',
    'logs in and stores a sandbox key for 90 days; --key reads an existing key',
  ],
  logout: ['apaga as chaves deste computador', 'deletes the keys of this computer'],
  listen: [
    'mostra eventos e os envia, assinados, a um servidor seu',
    'shows events and sends them, signed, to your server',
  ],
  trigger: ['faz um evento acontecer no sandbox', 'makes an event happen in the sandbox'],
  get: ['lê qualquer caminho da API', 'reads any path of the API'],
  balance: ['o saldo', 'the balance'],
  logs: ['as requisições da conta, à medida que chegam', 'the account’s requests as they arrive'],
  'webhooks deliveries': [
    'as entregas de webhooks; --failed só as que falharam',
    'deliveries of webhooks; --failed shows only failed deliveries',
  ],
  open: ['abre o painel, ou uma página dele', 'opens the dashboard or one of its pages'],
  export: ['um período como arquivo CSV ou OFX', 'a period as a CSV or OFX file'],
  completion: ['o autocompletar do seu shell', 'the command completion of your shell'],
  mcp: ['inicia o servidor MCP, se está instalado', 'starts the MCP server, if it is installed'],
  dev: [
    'num clone: entra como a loja de demonstração e escuta eventos',
    'in a clone: logs in as the demo shop and listens for events',
  ],
} as const;
