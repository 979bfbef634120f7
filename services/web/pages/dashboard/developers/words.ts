import { pageWords } from '../../shared/page-words.ts';

export const developerWords = pageWords({
  start: ['Começo', 'Start'],
  key: ['1. Crie uma chave', '1. Create a key'],
  keyText: [
    'Ela identifica a sua loja em cada requisição. Guarde-a só no servidor.',
    'It identifies your shop in every request. Keep it only on your server.',
  ],
  keyDone: [
    'Chave criada: ela já está na linha abaixo, até você sair desta página.',
    'Key created: the line below includes it until you leave this page.',
  ],
  toKeys: ['Criar chave', 'Create a key'],
  chargeStep: ['2. Crie uma cobrança e pague', '2. Create a charge and pay it'],
  keyReady: [
    'Rode esta linha em um terminal. A resposta traz o código Pix.',
    'Run this line in a terminal. The response has the Pix code.',
  ],
  keyMissing: [
    'Crie a chave antes, e esta linha fica pronta para rodar em um terminal. A resposta traz o código Pix.',
    'Create the key first. This line is then ready to run in a terminal. The response has the Pix code.',
  ],
  payTest: [
    'Depois abra a cobrança em Cobranças e clique em “Simular pagamento”: ela fica paga em segundos.',
    'Then open the charge under Charges and click “Simulate payment”. The charge is paid within seconds.',
  ],
  payLive: [
    'A cobrança aparece em Cobranças e fica paga assim que o Pix chegar.',
    'The charge appears under Charges. It is paid as soon as the Pix arrives.',
  ],
  toCharges: ['Ver cobranças', 'View charges'],
  hook: ['3. Crie um webhook', '3. Create a webhook'],
  hookText: [
    'A plataforma envia um evento a este endereço do seu servidor a cada pagamento. Para experimentar nesta máquina, use {url}.',
    'The platform sends an event to this address of your server for each payment. To try it on this machine, use {url}.',
  ],
  toHooks: ['Criar webhook', 'Create a webhook'],
  receiver: ['4. Rode um receptor', '4. Run a receiver'],
  receiverText: [
    'Salve como receiver.mjs. Ele confere a assinatura e mostra cada evento.',
    'Save it as receiver.mjs. It verifies the signature and prints each event.',
  ],
  secretReady: [
    'Na mesma pasta, rode em outro terminal e deixe rodando:',
    'In the same folder, run it in another terminal and leave it running:',
  ],
  secretMissing: [
    'Crie o webhook antes, e o segredo entra nesta linha. Na mesma pasta, rode em outro terminal:',
    'Create the webhook first. This line then includes its secret. In the same folder, run it in another terminal:',
  ],
  test: ['5. Envie um teste', '5. Send a test'],
  testText: [
    'Abra o webhook e clique em “Enviar teste”. A entrega aparece na lista, e o evento, no terminal.',
    'Open the webhook and click “Send a test”. The delivery appears in the list, and the event in the terminal.',
  ],
  toTest: ['Abrir webhook', 'Open the webhook'],
  tools: ['SDK, linha de comando e assistentes', 'SDK, command line and assistants'],
  toolsText: [
    'O SDK chama a API com tipos e confere webhooks. A linha de comando traz os eventos até a sua máquina. O servidor MCP deixa um assistente ler a sua conta.',
    'The SDK calls the API with types and verifies webhooks. The command line forwards events to your machine. The MCP server lets an assistant read your account.',
  ],
  toDownloads: ['Baixar', 'Download'],
});
