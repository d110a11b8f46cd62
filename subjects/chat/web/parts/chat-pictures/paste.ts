const IMG = /<img\b[^<>]*?\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;
const DATA_URL = /^data:(image\/(?:png|jpe?g));base64,([A-Za-z0-9+/=\s]+)$/i;

/** Converts a data URL into a file with a random name; null when it is not an accepted picture. */
export function fileOfDataUrl(url: string): File | null {
  const match = DATA_URL.exec(url.trim());
  const [, type, body] = match ?? [];
  if (type === undefined || body === undefined) return null;
  const mime = type.toLowerCase().replace('jpg', 'jpeg');
  try {
    const bytes = Uint8Array.from(atob(body.replace(/\s/g, '')), (char) => char.charCodeAt(0));
    return new File([bytes], `${Math.random().toString(36).slice(2, 12)}.${mime.split('/')[1]}`, { type: mime });
  } catch {
    return null;
  }
}

/**
 * Pictures of a paste (product.md 5): files as they are, data URLs as files, URLs of other pages as links. Empty when
 * the paste contains text, because then it is a text paste.
 */
export function pastedImages(data: Pick<DataTransfer, 'files' | 'getData'>): { files: File[]; links: string[] } {
  const files = [...data.files].filter((file) => file.type.startsWith('image/'));
  if (files.length > 0) return { files, links: [] };
  const text = data.getData('text/plain').trim();
  const own = fileOfDataUrl(text);
  if (own) return { files: [own], links: [] };
  if (text !== '') return { files: [], links: [] };
  const sources = [...data.getData('text/html').matchAll(IMG)].map((m) => m[1] ?? m[2] ?? '');
  return {
    files: sources.flatMap((source) => fileOfDataUrl(source) ?? []),
    links: sources.filter((source) => /^https?:\/\//i.test(source)),
  };
}
