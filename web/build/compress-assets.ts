import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';

const COMPRESSIBLE = new Set(['.js', '.css', '.svg', '.json', '.txt', '.webmanifest']);
/** Below this size the headers of a compressed copy outweigh its savings. */
const MIN_BYTES = 256;

/**
 * Writes a `.br` and a `.gz` beside each text asset under `root`, at the highest level: assets are hashed, so this is
 * done once per build and never per request.
 */
export async function compressAssets(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile() || !COMPRESSIBLE.has(extname(entry.name))) continue;
    const path = join(entry.parentPath, entry.name);
    const { size } = await stat(path);
    if (size < MIN_BYTES) continue;
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: size };
    await pipeline(createReadStream(path), createBrotliCompress({ params }), createWriteStream(`${path}.br`));
    await pipeline(createReadStream(path), createGzip({ level: 9 }), createWriteStream(`${path}.gz`));
  }
}
