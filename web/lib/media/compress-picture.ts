import { IMAGE_QUALITY } from '#contract/rules/limits.ts';
import { isRedrawn } from './picture-kinds.ts';

/** The server stores no wider picture (subjects/media/server), so a wider one need not be uploaded. */
const MAX_WIDTH = 1920;
/** The limit of Safari's canvas. A long screenshot of whole conversations would be empty beyond it. */
const MAX_CANVAS_SIDE = 16_000;
const MAX_CANVAS_PIXELS = 16_000_000;
/** Below this size re-encoding a picture gains nothing. */
const SMALL_BYTES = 600_000;
/** Quality of a picture that is redrawn only for its kind. */
const REDRAWN_QUALITY = 0.9;

/** A picture reduced before upload, or made a JPEG; the original file where that gains nothing or fails, of which the server says what it is. */
export async function compressed(file: File): Promise<File> {
  const isSmall = file.size < SMALL_BYTES;
  const isOther = isRedrawn(file.type);
  if (isSmall && !isOther) return file;
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const scale = Math.min(
      1,
      MAX_WIDTH / bitmap.width,
      MAX_CANVAS_SIDE / bitmap.height,
      Math.sqrt(MAX_CANVAS_PIXELS / (bitmap.width * bitmap.height)),
    );
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(bitmap.width * scale);
    canvas.height = Math.round(bitmap.height * scale);
    const pen = canvas.getContext('2d');
    // JPEG has no transparency: without a background it would come out black.
    if (pen) pen.fillStyle = '#fff';
    pen?.fillRect(0, 0, canvas.width, canvas.height);
    pen?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    const quality = isSmall ? REDRAWN_QUALITY : IMAGE_QUALITY;
    const drawn = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
    return drawn && (isOther || drawn.size < file.size) ? new File([drawn], file.name, { type: 'image/jpeg' }) : file;
  } catch {
    return file;
  }
}
