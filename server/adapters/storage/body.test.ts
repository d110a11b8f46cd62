import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { bodyOf } from './body.ts';

const late = new Error('the time limit of the request');

/** A body that fails when `fail` is called. */
function failing() {
  let fail: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      fail = () => controller.error(late);
    },
  });
  return { stream: bodyOf(body as NonNullable<Response['body']>), fail: () => fail() };
}

test('a body that nobody reads ends without an error of the process', async () => {
  const { stream, fail } = failing();
  // Adds no error listener, unlike `once` of node:events.
  const closed = new Promise((resolve) => stream.once('close', resolve));
  fail();
  await closed;
  expect(stream.errored).toBe(late);
});

test('a reader of the body gets the error', async () => {
  const { stream, fail } = failing();
  const read = buffer(stream);
  fail();
  await expect(read).rejects.toBe(late);
});
