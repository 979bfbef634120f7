import { pageWords } from '../../shared/page-words.ts';

export const webhookWords = pageWords({
  create: ['Novo webhook', 'New webhook'],
  createTitle: ['Criar webhook', 'Create webhook'],
  make: ['Criar webhook', 'Create webhook'],
  urlHint: ['Recebe um POST com JSON a cada evento.', 'Receives a POST with JSON for each event.'],
  standardEvents: ['Eventos padrão', 'Standard events'],
  standardHint: [
    'Cobranças pagas, devolvidas e expiradas, contestações e o fim de saques. Os outros eventos só chegam a webhooks que os escolhem.',
    'Paid, refunded and expired charges, disputes, and the end of withdrawals. Other events go only to webhooks that select them.',
  ],
  someEvents: ['Só estes', 'Only these'],
  count: [
    (count: number) => (count === 1 ? '1 evento' : `${count} eventos`),
    (count: number) => (count === 1 ? '1 event' : `${count} events`),
  ],
  signatureVersion: ['Assinatura', 'Signature'],
  signatures: {
    v1: ['X-Webhook-Signature', 'X-Webhook-Signature'],
    standard: ['Standard Webhooks', 'Standard Webhooks'],
  },
  retrySchedule: ['Novas tentativas', 'Retries'],
  retryScheduleHint: [
    'Sem uma resposta 2xx, a entrega é tentada 6 vezes em um minuto, ou 11 vezes em quase um dia.',
    'Without a 2xx response, a delivery has 6 attempts in a minute, or 11 attempts in almost a day.',
  ],
  schedules: { extended: ['Por quase um dia', 'For almost a day'], short: ['Por um minuto', 'For a minute'] },
  created: ['Criado em', 'Created'],
  secretTitle: ['Segredo do webhook', 'Webhook secret'],
  emptyTitle: ['Nenhum webhook ainda', 'No webhooks yet'],
  emptyText: [
    'Seu servidor recebe um evento a cada pagamento. Em Começo há um receptor pronto para rodar.',
    'Your server receives an event for each payment. Start has a receiver that is ready to run.',
  ],
  editTitle: ['Editar webhook', 'Edit webhook'],
  saved: ['Webhook salvo', 'Webhook saved'],
  test: ['Enviar teste', 'Send a test'],
  tested: ['Teste a caminho', 'Test on its way'],
  pauseTitle: ['Pausar webhook?', 'Pause this webhook?'],
  pauseText: [
    'As entregas pendentes são encerradas, e os eventos durante a pausa não são enviados depois.',
    'Pending deliveries end, and events during the pause are not sent later.',
  ],
  paused: ['Webhook pausado', 'Webhook paused'],
  resume: ['Retomar', 'Resume'],
  resumed: ['Webhook ativo', 'Webhook active'],
  rotate: ['Trocar segredo', 'Rotate secret'],
  rotateTitle: ['Trocar segredo?', 'Rotate secret?'],
  rotateText: [
    'O segredo novo aparece uma vez. O antigo continua assinando pelo prazo escolhido. Troque-o no seu servidor.',
    'The new secret is shown once. The old secret keeps signing for the chosen time. Replace it on your server.',
  ],
  grace: ['O segredo antigo vale', 'The old secret signs'],
  health: ['Saúde', 'Health'],
  healths: {
    unknown: ['Sem entregas', 'No deliveries yet'],
    healthy: ['Responde', 'Responding'],
    slow: ['Lento', 'Slow'],
    failing: ['Com falhas', 'Failing'],
  },
  failingText: [
    'O servidor não respondeu à última tentativa com 2xx. Depois de corrigir, reenvie as entregas que falharam.',
    'The server did not answer the last attempt with 2xx. After you fix it, resend the failed deliveries.',
  ],
  resend: ['Reenviar', 'Resend'],
  resent: ['Nova tentativa a caminho', 'New attempt on its way'],
  manual: ['Reenvio', 'Resent'],
  resendFailed: ['Reenviar falhas', 'Resend failures'],
  resendTitle: ['Reenviar entregas que falharam', 'Resend failed deliveries'],
  resendText: [
    'Cada entrega leva o mesmo ID e o mesmo corpo, e tem mais uma tentativa.',
    'Each delivery has the same ID and the same body, and gets one more attempt.',
  ],
  resendAll: ['Reenviar todas', 'Resend all'],
  since: ['Criadas desde', 'Created since'],
  periods: {
    hour: ['Há uma hora', 'One hour ago'],
    day: ['Há um dia', 'One day ago'],
    week: ['Há 7 dias', '7 days ago'],
    month: ['Há 30 dias', '30 days ago'],
  },
  failedCount: [
    (total: number) =>
      total === 0
        ? 'Nenhuma entrega desse período falhou.'
        : total === 1
          ? '1 entrega falhou.'
          : `${total} entregas falharam.`,
    (total: number) =>
      total === 0
        ? 'No delivery of this period failed.'
        : total === 1
          ? '1 delivery failed.'
          : `${total} deliveries failed.`,
  ],
  resentCount: [
    (done: number, total: number) =>
      `Reenviadas: ${done} de ${total}. O resultado está na lista de entregas.`,
    (done: number, total: number) => `Resent: ${done} of ${total}. The list of deliveries has the results.`,
  ],
  testTitle: ['Enviar teste', 'Send a test'],
  testText: [
    'O teste vai só para este webhook, assinado e marcado como teste. O objeto não muda.',
    'The test goes only to this webhook, signed and marked as a test. The object does not change.',
  ],
  objectId: ['ID do objeto', 'Object ID'],
  objectIdHint: [
    'Cobrança, contestação ou saque seu. Em branco: o mais recente.',
    'One of your charges, disputes or withdrawals. Leave empty for the newest.',
  ],
  removeTitle: ['Apagar webhook?', 'Delete this webhook?'],
  removeText: [
    'A plataforma deixa de enviar eventos a este endereço. As entregas feitas continuam na lista.',
    'The platform stops sending events to this address. Past deliveries stay in the list.',
  ],
  removed: ['Webhook apagado', 'Webhook deleted'],
  deliveries: ['Entregas', 'Deliveries'],
  nextAttempt: ['Próxima tentativa', 'Next attempt'],
  deliveryCreated: ['Criada em', 'Created'],
  noDeliveries: ['Nenhuma entrega', 'No deliveries'],
  noDeliveriesText: [
    'Envie um teste. A entrega aparece aqui em segundos, com a resposta do seu servidor.',
    'Send a test. The delivery appears here within seconds, with the response of your server.',
  ],
  delivery: ['Entrega', 'Delivery'],
  body: ['Corpo enviado', 'Body sent'],
  headers: ['Cabeçalhos enviados', 'Headers sent'],
  answer: ['Respondeu {status}', 'Responded {status}'],
  attempt: ['Tentativa {at}', 'Attempt {at}'],
  took: ['{ms} ms', '{ms} ms'],
  noAttempt: ['Ainda sem tentativa', 'No attempt yet'],
  faults: {
    duplicate: ['Falha simulada: enviada em dobro', 'Simulated fault: sent twice'],
    reorder: ['Falha simulada: fora de ordem', 'Simulated fault: out of order'],
    delay: ['Falha simulada: com atraso', 'Simulated fault: late'],
    bad_signature: ['Falha simulada: assinatura errada', 'Simulated fault: wrong signature'],
    drop: ['Falha simulada: não enviada', 'Simulated fault: not sent'],
  },
  id: ['ID da entrega', 'Delivery ID'],
  errors: {
    url_refused: ['O endereço não é aceito.', 'The address is not accepted.'],
    name_unresolved: ['O nome do servidor não existe no DNS.', 'The server name does not exist in the DNS.'],
    address_refused: ['O servidor está em uma rede privada.', 'The server is on a private network.'],
    connection_failed: ['O servidor não aceitou a conexão.', 'The server did not accept the connection.'],
    tls_failed: ['O certificado do servidor é inválido.', 'The server’s certificate is not valid.'],
    timeout: ['O servidor não respondeu a tempo.', 'The server did not respond in time.'],
    invalid_answer: ['A resposta não é HTTP.', 'The response is not HTTP.'],
    unknown: ['Sem resposta.', 'No response.'],
  },
});
