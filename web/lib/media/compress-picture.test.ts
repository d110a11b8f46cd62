import { afterEach, describe, expect, test, vi } from 'vitest';
import { IMAGE_MAX_BYTES } from '#contract/rules/limits.ts';
import { compressed } from './compress-picture.ts';
import { pictureError } from './picture-kinds.ts';

afterEach(() => vi.unstubAllGlobals());

/** A browser that decodes what `decodes` says and draws JPEGs of so many bytes. */
function browser(decodes: boolean, bytes: number): void {
  vi.stubGlobal('createImageBitmap', async () => {
    if (!decodes) throw new Error('InvalidStateError');
    return { width: 100, height: 50, close: () => undefined };
  });
  const pen = { fillRect: () => undefined, drawImage: () => undefined };
  vi.stubGlobal('document', {
    createElement: () => ({
      getContext: () => pen,
      toBlob: (done: (blob: Blob) => void, type: string) => done(new Blob([new Uint8Array(bytes)], { type })),
    }),
  });
}

const file = (type: string, bytes = 100): File => new File([new Uint8Array(bytes)], 'a', { type });

describe('a picture of a kind that browsers show', () => {
  test.each(['image/webp', 'image/gif', 'image/bmp', 'image/x-ms-bmp', 'image/avif'])(
    '%s becomes a JPEG',
    async (type) => {
      expect(pictureError(file(type))).toBeNull();
      browser(true, 5000);
      expect((await compressed(file(type))).type).toBe('image/jpeg');
    },
  );

  test('is sent unchanged when it cannot be decoded, for the server to name', async () => {
    browser(false, 0);
    expect((await compressed(file('image/gif'))).type).toBe('image/gif');
  });

  test('has the same limit of size', () => {
    expect(pictureError({ type: 'image/webp', size: IMAGE_MAX_BYTES + 1 })).not.toBeNull();
  });
});

test.each(['image/svg+xml', 'image/tiff', 'application/pdf', 'video/mp4'])('%s is refused', (type) => {
  expect(pictureError(file(type))).toBe('图片格式错误，请上传JPEG/JPG/PNG');
});

test('a small JPEG or PNG is sent as it is', async () => {
  for (const type of ['image/jpeg', 'image/png', '']) expect((await compressed(file(type))).type).toBe(type);
});
