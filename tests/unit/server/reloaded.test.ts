/** Values that follow the database: the newest load counts, and nothing is loaded or logged after the end. */
import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { BUS_GAP, type Bus } from '#server/ports/bus.ts';
import { openReloaded } from '#server/directory/reloaded.ts';

/** A bus in memory, and a log that is kept. */
function ground() {
  const emitter = new EventEmitter();
  const lines: string[] = [];
  const bus: Bus = {
    publish: (channel, message) => void emitter.emit(channel, message),
    subscribe(channel, listener) {
      emitter.on(channel, listener);
      return () => emitter.off(channel, listener);
    },
    close: () => Promise.resolve(),
  };
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  return { bus, log, lines };
}

/** Loads that end when the test says so. */
function loads() {
  const open: { done: (value: string) => void; fail: (error: Error) => void }[] = [];
  return {
    load: () => new Promise<string>((done, fail) => open.push({ done, fail })),
    of: (at: number) => open[at] ?? { done: () => expect.fail('no load'), fail: () => expect.fail('no load') },
    count: () => open.length,
  };
}

async function opened() {
  const { bus, log, lines } = ground();
  const pending = loads();
  const opening = openReloaded({ bus, log }, { channel: 'things', what: 'things', load: pending.load });
  pending.of(0).done('first');
  return { bus, lines, pending, kept: await opening };
}

test('a message of its channel and a gap of the bus reload it', async () => {
  const { bus, pending, kept } = await opened();
  bus.publish('things', {});
  pending.of(1).done('second');
  await expect.poll(() => kept.current()).toBe('second');
  bus.publish('other', {});
  expect(pending.count()).toBe(2);
  bus.publish(BUS_GAP, {});
  pending.of(2).done('third');
  await expect.poll(() => kept.current()).toBe('third');
});

test('a slow load that began earlier does not replace a newer one', async () => {
  const { pending, kept } = await opened();
  const [slow, fast] = [kept.reload(), kept.reload()];
  pending.of(2).done('newer');
  await fast;
  pending.of(1).done('older');
  await slow;
  expect(kept.current()).toBe('newer');
});

test('a load that fails leaves the value and is logged', async () => {
  const { bus, lines, pending, kept } = await opened();
  bus.publish('things', {});
  pending.of(1).fail(new Error('away'));
  await expect.poll(() => lines.join('')).toContain('things not reloaded');
  expect(kept.current()).toBe('first');
});

test('closing waits for a running load, and nothing is loaded afterwards', async () => {
  const { bus, pending, kept } = await opened();
  bus.publish('things', {});
  let hasEnded = false;
  const closing = kept.close().then(() => (hasEnded = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(hasEnded).toBe(false);
  pending.of(1).done('last');
  await closing;
  bus.publish('things', {});
  expect(pending.count()).toBe(2);
});
