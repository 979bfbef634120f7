import { pageWords } from '../../shared/page-words.ts';

export const logoWords = pageWords({
  hint: ['PNG, JPEG ou WebP. Imagens grandes são reduzidas.', 'PNG, JPEG or WebP. Large images are reduced.'],
  wrong: [
    'Esta imagem não pôde ser lida. Use PNG, JPEG ou WebP.',
    'This image could not be read. Use PNG, JPEG or WebP.',
  ],
  removeLogo: ['Tirar logotipo', 'Remove logo'],
});
