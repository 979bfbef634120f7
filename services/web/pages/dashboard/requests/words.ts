import { pageWords } from '../../shared/page-words.ts';

export const requestWords = pageWords({
  request: ['Requisição', 'Request'],
  answer: ['Resposta', 'Response'],
  allStatuses: ['Todas as respostas', 'All responses'],
  statuses: {
    '2xx': ['Com sucesso (2xx)', 'Successful (2xx)'],
    '4xx': ['Recusadas (4xx)', 'Refused (4xx)'],
    '5xx': ['Com falha nossa (5xx)', 'Failed on our side (5xx)'],
  },
  httpMethod: ['Método', 'Method'],
  allHttpMethods: ['Todos os métodos', 'All methods'],
  source: ['Feitas com', 'Made with'],
  sources: { session: ['Painel', 'Dashboard'], all: ['Chave ou painel', 'Key or dashboard'] },
  searchHint: ['X-Request-Id, objeto ou /v1/…', 'X-Request-Id, object or /v1/…'],
  code: ['Código', 'Code'],
  message: ['Mensagem', 'Message'],
  duration: ['Duração', 'Duration'],
  took: ['{ms} ms', '{ms} ms'],
  hungUp: ['Interrompida', 'Interrupted'],
  apiKey: ['Chave de API', 'API key'],
  show: ['Ver detalhes', 'View details'],
  byUser: ['Nenhuma: feita no painel ou com login', 'None: made in the dashboard or with a login'],
  parameters: ['Parâmetros', 'Parameters'],
  requestId: ['X-Request-Id', 'X-Request-Id'],
  notStored: [
    'Corpos, valores de parâmetros e endereços IP não são guardados.',
    'Bodies, parameter values and IP addresses are not stored.',
  ],
  emptyTitle: ['Nenhuma requisição nos últimos dias', 'No requests in the last few days'],
  emptyText: [
    'Cada requisição do seu sistema com uma chave de API aparece aqui em segundos.',
    'Each request of your system with an API key appears here within seconds.',
  ],
  noneTitle: ['Nenhuma requisição com estes filtros', 'No requests with these filters'],
  about: ['Requisições da API', 'API requests'],
  noneAbout: [
    'Nenhuma nos últimos dias com uma chave de API.',
    'No requests with an API key in the last few days.',
  ],
});
