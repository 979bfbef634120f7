import { catalogue } from '../../shared/language.ts';

export const logoWords = catalogue(
  {
    logo: 'Logotipo',
    hint: 'PNG, JPEG ou WebP. Imagens grandes são reduzidas.',
    wrong: 'Esta imagem não pôde ser lida. Use PNG, JPEG ou WebP.',
    remove: 'Tirar logotipo',
  },
  {
    logo: 'Logo',
    hint: 'PNG, JPEG or WebP. Large images are made smaller.',
    wrong: 'This image could not be read. Use PNG, JPEG or WebP.',
    remove: 'Remove logo',
  },
);
