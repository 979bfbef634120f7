import { describe, expect, test } from '@jest/globals';
import { idOf, renderGuide, renderText } from '../src/markdown.ts';

const files: Record<string, string> = { 'typescript/a.ts': 'const a = 1;', 'php/a.php': '<?php $a = 1;' };
const render = (text: string) => renderGuide(text, 'pt', (path) => files[path] ?? '').html;
const tabsOf = (html: string) => [...html.matchAll(/data-tab="([^"]*)"/g)].map(([, label]) => label);

describe('code of a guide', () => {
  test('a paragraph of links to samples becomes their code, in tabs', () => {
    const html = render('[TypeScript](../samples/typescript/a.ts)\n[PHP](../samples/php/a.php)\n');

    expect(tabsOf(html)).toEqual(['TypeScript', 'PHP']);
    expect(html).toContain('<span class="hljs-keyword">const</span>');
    expect(html).not.toContain('<a ');
  });

  test('a link to a sample within a sentence stays a sentence', () => {
    expect(tabsOf(render('See [this](../samples/typescript/a.ts) first.'))).toEqual([]);
  });

  test('adjacent blocks with tab= become tabs, others stay separate', () => {
    const html = render('```sh tab=curl\ncurl x\n```\n\n```ts tab=SDK\nx();\n```\n\n```json\n{}\n```\n');

    expect(html.match(/<div class="code"/g)).toHaveLength(2);
    expect(tabsOf(html)).toEqual(['curl', 'SDK', '']);
  });
});

test('links of the git host become those of the site', () => {
  const html = render(
    '[a](webhooks.md#ordem) [b](/docs/reference/charges#createCharge) [c](../../security.md) [d](https://a.example/)',
  );

  expect(html).toContain('<a href="/docs/pt/webhooks#ordem">a</a>');
  expect(html).toContain('<a href="/docs/pt/reference/charges#createCharge">b</a>');
  expect(html).toContain('c (docs/security.md)');
  expect(html).toContain('<a href="https://a.example/">d</a>');
});

test('a marked quote is a note in the page’s language', () => {
  expect(render('> [!WARNING]\n> Cuidado.')).toMatch(
    /<blockquote class="note warning" data-label="Atenção">\s*<p>Cuidado\./,
  );
});

test('markup in a text stays text', () => {
  expect(render('<script>alert(1)</script> <b onclick="x()">b</b>')).not.toMatch(/<script|<b /);
});

test('heading ids have no accents or signs and are unique', () => {
  const { headings } = renderGuide('## É duas vezes, né?\n\n## É duas vezes, né?', 'pt', () => '');

  expect(headings.map(({ id }) => id)).toEqual(['e-duas-vezes-ne', 'e-duas-vezes-ne-1']);
  expect(idOf('Pix: “já” R$ 25,00')).toBe('pix-ja-r-2500');
});

test('a long description has paragraphs and marks names as code', () => {
  const html = renderText(`${'The externalId is kept. '.repeat(12)}Then CARD_DECLINED.`);

  expect(html.match(/<p>/g)?.length).toBeGreaterThan(1);
  expect(html).toContain('<code>externalId</code>');
  expect(html).toContain('<code>CARD_DECLINED</code>');
});
