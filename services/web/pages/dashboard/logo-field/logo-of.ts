/** The maximum size of a logo in the checkout, in pixels of a screen with high resolution. */
const BOX = { width: 336, height: 120 };
/** The API's limit for the bytes of a logo. */
const MOST_BYTES = 64 * 1024;

/**
 * Returns an image of any size as a data URI for a logo. The image is drawn again, so that metadata such as a
 * photo's location is not sent. Throws for a file that is no image.
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
  // PNG keeps every detail, so it is tried first. A photo is often too large as PNG, so WebP and JPEG follow.
  // A browser that can't write WebP writes PNG again.
  for (const type of ['image/png', 'image/webp', 'image/jpeg']) {
    if (context && type === 'image/jpeg') {
      // JPEG has no transparency. Without a white background, transparent parts would become black.
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
