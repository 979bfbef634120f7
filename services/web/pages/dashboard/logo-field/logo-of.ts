/** The checkout's size of a logo, in pixels of the sharpest screens. */
const BOX = { width: 336, height: 120 };
/** The limit of the API. */
const MOST_BYTES = 64 * 1024;

/**
 * Returns a picture of any size as the data URI of a logo. Redraws it, so that metadata such as a photo's
 * location is not sent. Throws for a file that is no picture.
 */
export async function logoOf(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, BOX.width / picture.width, BOX.height / picture.height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext('2d');
  context?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  // A photo is large as PNG. A browser that can't write WebP returns PNG again.
  for (const type of ['image/png', 'image/webp', 'image/jpeg']) {
    if (context && type === 'image/jpeg') {
      // JPEG has no transparency and would show it as black.
      context.globalCompositeOperation = 'destination-over';
      context.fillStyle = '#ffffff';
      context.fillRect(0, 0, canvas.width, canvas.height);
    }
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type));
    if (blob && blob.size <= MOST_BYTES) return dataUriOf(blob);
  }
  throw new Error('no image, or one that stays too large');
}

function dataUriOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
