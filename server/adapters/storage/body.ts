import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/**
 * The body of a response as a stream. The time limit of its request ends it with an error also when nobody reads it any more, as after a
 * client that left: without a listener that error would end the process. Whoever reads the stream gets it as well.
 */
export function bodyOf(body: NonNullable<Response['body']>): Readable {
  const stream = Readable.fromWeb(body as ReadableStream);
  stream.on('error', () => undefined);
  return stream;
}
