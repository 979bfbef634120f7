import { catalogue } from '@plataforma/contracts/catalogue';

/** What there is, by the name in its tarball's; the guide of each is at `/docs`. */
export const kinds = ['sdk', 'cli', 'mcp'] as const;
export type Kind = (typeof kinds)[number];

export const words = catalogue({
  lead: [
    'Cada arquivo é um pacote do npm, sem dependências. Os comandos baixam, conferem o hash SHA-256 e instalam.',
    'Each file is a package for npm, without dependencies. The commands download it, check its SHA-256 and install it.',
  ],
  packages: {
    sdk: {
      title: ['SDK para TypeScript e JavaScript', 'SDK for TypeScript and JavaScript'],
      text: [
        'Chama a API com tipos e confere webhooks. Instale na pasta do seu projeto.',
        'Calls the API with types and verifies webhooks. Install it in the folder of your project.',
      ],
    },
    cli: {
      title: ['Linha de comando', 'Command line'],
      text: [
        'Traz os webhooks até a sua máquina, provoca eventos e usa a API pelo terminal.',
        'Brings webhooks to your machine, makes events happen and uses the API from a terminal.',
      ],
    },
    mcp: {
      title: ['Servidor MCP, para assistentes', 'MCP server, for assistants'],
      text: [
        'Deixa um assistente de IA ler a sua conta e, se você permitir, usar o sandbox.',
        'Lets an AI assistant read your account and, where you allow it, use the sandbox.',
      ],
    },
  },
  guide: ['Guia', 'Guide'],
  sums: ['Todos os hashes', 'All checksums'],
  other: { language: ['en', 'pt-BR'], name: ['English', 'Português'] },
});
