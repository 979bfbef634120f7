import decode from 'qr/decode.js';

/**
 * The width to which the camera's picture is reduced. A larger picture takes more time and gives no better
 * result.
 */
const WIDEST = 640;
/** The time limit for decoding a bent, dark or rotated code. The camera soon provides another picture. */
const TRY_MS = 100;

/** Returns a QR decoder in JavaScript, for browsers without a decoder of their own. */
export function createPictureReader(): (video: HTMLVideoElement) => string | null {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return (video) => {
    const scale = Math.min(1, WIDEST / video.videoWidth);
    const [width, height] = [video.videoWidth, video.videoHeight].map((side) => Math.round(side * scale));
    if (!context || !width || !height) return null;
    Object.assign(canvas, { width, height });
    context.drawImage(video, 0, 0, width, height);
    const { data } = context.getImageData(0, 0, width, height);
    return textIn({ data, width, height });
  };
}

/** The decoder throws for a picture without a readable code. */
function textIn(picture: { data: Uint8ClampedArray; width: number; height: number }): string | null {
  try {
    return decode(picture, { timeLimit: TRY_MS }) || null;
  } catch {
    return null;
  }
}
