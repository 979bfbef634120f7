import readCode from 'jsqr';

/** Larger than this a picture only takes longer. */
const WIDEST = 640;

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
    return readCode(data, width, height, { inversionAttempts: 'dontInvert' })?.data || null;
  };
}
