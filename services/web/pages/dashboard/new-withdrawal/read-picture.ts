import decode from 'qr/decode.js';

/** Larger than this a picture only takes longer. */
const WIDEST = 640;
/** For what is bent, dim or turned; the camera is looked at again soon. */
const TRY_MS = 100;

/** Reads the code in a picture of the camera by our own script, where a browser can't. */
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

/** A picture without a code that can be read is an error to the reader. */
function textIn(picture: { data: Uint8ClampedArray; width: number; height: number }): string | null {
  try {
    return decode(picture, { timeLimit: TRY_MS }) || null;
  } catch {
    return null;
  }
}
