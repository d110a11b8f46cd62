import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/**
 * The body of a response as a stream. When its request times out, the stream fails even if nobody reads it any more, as after a
 * client has disconnected; without a listener that error would end the process. The stream's reader receives the error as well.
 */
export function bodyOf(body: NonNullable<Response['body']>): Readable {
  const stream = Readable.fromWeb(body as ReadableStream);
  stream.on('error', () => undefined);
  return stream;
}
