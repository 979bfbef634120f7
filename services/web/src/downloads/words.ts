/** What there is, by the name in its tarball's; the guide of each is at `/docs`. */
export const kinds = ['sdk', 'cli', 'mcp'] as const;
export type Kind = (typeof kinds)[number];

/** Of a package: its name, and what it is for. */
type Said = readonly [name: string, text: string];

const ptPackages: Record<Kind, Said> = {
  sdk: [
    'SDK para TypeScript e JavaScript',
    'Chama a API com tipos e confere webhooks. Instale na pasta do seu projeto.',
  ],
  cli: ['Linha de comando', 'Traz os webhooks até a sua máquina, provoca eventos e usa a API pelo terminal.'],
  mcp: [
    'Servidor MCP, para assistentes',
    'Deixa um assistente de IA ler a sua conta e, se você permitir, usar o sandbox.',
  ],
};

const enPackages: Record<Kind, Said> = {
  sdk: [
    'SDK for TypeScript and JavaScript',
    'Calls the API with types and verifies webhooks. Install it in the folder of your project.',
  ],
  cli: [
    'Command line',
    'Brings webhooks to your machine, makes events happen and uses the API from a terminal.',
  ],
  mcp: [
    'MCP server, for assistants',
    'Lets an AI assistant read your account and, where you allow it, use the sandbox.',
  ],
};

export const words = {
  'pt-BR': {
    lead: 'Cada arquivo é um pacote do npm, sem dependências. Os comandos baixam, conferem o hash SHA-256 e instalam.',
    packages: ptPackages,
    guide: 'Guia',
    sums: 'Todos os hashes',
    other: { language: 'en', name: 'English' },
  },
  en: {
    lead: 'Each file is a package for npm, without dependencies. The commands download it, check its SHA-256 and install it.',
    packages: enPackages,
    guide: 'Guide',
    sums: 'All checksums',
    other: { language: 'pt-BR', name: 'Português' },
  },
} as const;
