/** The minimum contrast of text (WCAG 2.2). On any background, black or white text reaches this contrast. */
const ENOUGH = 4.5;

/** Returns a legible text colour for the background `colour`, which has the form `#rrggbb`. */
export function textOn(colour: string): '#ffffff' | '#000000' {
  return contrastWithWhite(colour) >= ENOUGH ? '#ffffff' : '#000000';
}

function contrastWithWhite(colour: string): number {
  return 1.05 / (luminanceOf(colour) + 0.05);
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour)
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns red, green and blue, from 0 to 255. */
export function channelsOf(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}
