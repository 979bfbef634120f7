import { catalogue } from '@plataforma/contracts/catalogue';

/** The package kinds, as they appear in the names of the tarballs. `/docs` has a guide for each kind. */
export const kinds = ['sdk', 'cli', 'mcp'] as const;
export type Kind = (typeof kinds)[number];

export const words = catalogue({
  lead: [
    'Cada arquivo é um pacote do npm, sem dependências. Os comandos baixam, conferem o hash SHA-256 e instalam.',
    'Each file is an npm package without dependencies. The commands download it, verify its SHA-256 hash and install it.',
  ],
  packages: {
    sdk: {
      title: ['SDK para TypeScript e JavaScript', 'SDK for TypeScript and JavaScript'],
      text: [
        'Chama a API com tipos e confere webhooks. Instale na pasta do seu projeto.',
        'Calls the API with types and verifies webhooks. Install it in your project folder.',
      ],
    },
    cli: {
      title: ['Linha de comando', 'Command line'],
      text: [
        'Traz os webhooks até a sua máquina, provoca eventos e usa a API pelo terminal.',
        'Forwards webhooks to your machine, triggers events and uses the API from a terminal.',
      ],
    },
    mcp: {
      title: ['Servidor MCP, para assistentes', 'MCP server, for assistants'],
      text: [
        'Deixa um assistente de IA ler a sua conta e, se você permitir, usar o sandbox.',
        'Lets an AI assistant read your account and, if you allow it, use the sandbox.',
      ],
    },
  },
  guide: ['Guia', 'Guide'],
  sums: ['Todos os hashes', 'All hashes'],
  other: { language: ['en', 'pt-BR'], name: ['English', 'Português'] },
});
