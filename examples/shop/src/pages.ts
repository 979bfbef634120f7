import { paidChargeOf } from './orders.ts';
import type { Order } from './store.ts';

export const products = [
  { id: 'cafe', name: 'Café do Cerrado, 250 g', price: 3_890 },
  { id: 'filtro', name: 'Filtro de pano', price: 1_550 },
  { id: 'caneca', name: 'Caneca esmaltada', price: 4_200 },
];

const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });
const money = (cents: number) => reais.format(cents / 100);
const text = (value: unknown) => String(value).replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);

/** Renders a page. If `waits` is true, the browser reloads the page every three seconds. */
const page = (title: string, body: string, waits = false) => `<!doctype html><html lang="pt-BR">
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="/shop.css">${waits ? '<meta http-equiv="refresh" content="3">' : ''}
<title>${text(title)}</title><h1>${text(title)}</h1>${body}</html>`;

export function homePage(): string {
  const rows = products.map(
    ({ id, name, price }) => `<li><label for="${id}">${name}<br>${money(price)}</label>
<input id="${id}" name="${id}" type="number" min="0" max="20" value="0"></li>`,
  );
  return page(
    'Café da Vila',
    `<form action="/cart"><ul>${rows.join('')}</ul><button>Ver o carrinho</button></form>`,
  );
}

type Cart = Pick<Order, 'items' | 'total'>;

function listed({ items, total }: Cart): string {
  const rows = items.map(
    ({ name, price, count }) =>
      `<li><span>${count} × ${text(name)}</span><b>${money(price * count)}</b></li>`,
  );
  return `<ul>${rows.join('')}</ul><p>Total: <b>${money(total)}</b></p>`;
}

export function cartPage(id: string, cart: Cart): string {
  const fields = cart.items.map((item) => `<input type="hidden" name="${item.id}" value="${item.count}">`);
  return page(
    'Carrinho',
    `${listed(cart)}<form method="post" action="/orders/${id}">${fields.join('')}
<label>Nome<input name="payerName" autocomplete="name" required maxlength="120"></label>
<label>CPF ou CNPJ<input name="payerDocument" autocapitalize="characters" required></label>
<label><input type="radio" name="method" value="PIX" checked> Pix</label>
<label><input type="radio" name="method" value="CARD"> Cartão</label><button>Fazer o pedido</button></form>`,
  );
}

export function orderPage(order: Order | null): string {
  if (!order) return problemPage('Este pedido não existe.');
  const { payAt } = order;
  const paid = paidChargeOf(order);
  const says = (title: string, words: string) => page(title, `${listed(order)}<p role="status">${words}</p>`);
  if (paid?.status === 'REFUNDED')
    return says('Pedido devolvido', `${money(Number(paid.refundedAmount))} voltaram para você.`);
  if (paid) return says('Pedido pago', 'Obrigado! Já está a caminho.');
  if (!payAt) return says('Pedido incompleto', 'Volte e envie outra vez: nada é cobrado em dobro.');
  const how =
    'url' in payAt
      ? `<p><a class="button" href="${text(payAt.url)}">Pagar com cartão</a></p>`
      : `<p><img src="${text(payAt.image)}" alt="QR Code do Pix"></p><p>Pix copia e cola:</p><code>${text(payAt.code)}</code>`;
  return page('Falta pagar', `${listed(order)}${how}<p role="status">Esperando o pagamento …</p>`, true);
}

export const problemPage = (message: string) => page('Não deu certo', `<p role="alert">${text(message)}</p>`);
