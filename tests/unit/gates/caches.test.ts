/** The caches of a context: created once, separate, cleared by the bus, bounded. */
import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { Caches, cacheKind, cacheOf } from '#server/caches.ts';
import { BoundedMap, TtlCache } from '#server/kernel/cache.ts';
import { BUS_GAP, type Bus } from '#server/ports/bus.ts';

function testBus(): Bus {
  const emitter = new EventEmitter();
  return {
    publish: (channel, message) => void emitter.emit(channel, message),
    subscribe(channel, listener) {
      emitter.on(channel, listener);
      return () => emitter.off(channel, listener);
    },
    close: async () => undefined,
  };
}

const prices = cacheKind('test.prices', () => new TtlCache<number>({ ttlMs: 60_000, max: 10 }), { dropOn: ['prices'] });

function contextOf(bus: Bus) {
  let reads = 0;
  const ctx = { caches: new Caches(bus) };
  return { ctx, read: async () => await cacheOf(ctx, prices).get('a', async () => ++reads) };
}

test('two contexts of one process share nothing, and one creates its cache once', async () => {
  const one = contextOf(testBus());
  const other = contextOf(testBus());
  expect([await one.read(), await one.read()]).toEqual([1, 1]);
  expect(await other.read()).toBe(1);
  expect(cacheOf(one.ctx, prices)).toBe(cacheOf(one.ctx, prices));
  expect(cacheOf(one.ctx, prices)).not.toBe(cacheOf(other.ctx, prices));
});

test('a message on its channel or a gap of the bus empties a cache of every context; a closed one receives nothing', async () => {
  const bus = testBus();
  const [one, other] = [contextOf(bus), contextOf(bus)];
  for (const context of [one, other]) await context.read();
  bus.publish('prices', {});
  expect([await one.read(), await other.read()]).toEqual([2, 2]);
  bus.publish(BUS_GAP, {});
  expect([await one.read(), await other.read()]).toEqual([3, 3]);
  bus.publish('catalogue', {});
  expect(await one.read()).toBe(3);
  const before = cacheOf(one.ctx, prices);
  one.ctx.caches.close();
  bus.publish('prices', {});
  expect(await before.get('a', async () => 99)).toBe(3);
  expect(await other.read()).toBe(4);
});

test('two kinds with one name are rejected', () => {
  const { ctx } = contextOf(testBus());
  cacheOf(ctx, prices);
  const namesake = cacheKind('test.prices', () => new Map<string, number>());
  expect(() => cacheOf(ctx, namesake)).toThrow('test.prices');
  expect(ctx.caches.names()).toEqual(['test.prices']);
});

test('a bounded map removes its oldest entries', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 4],
  ]);
  map.delete('b');
  map.set('d', 5).set('b', 6);
  expect([...map.keys()]).toEqual(['d', 'b']);
  map.clear();
  map.set('b', 7).set('e', 8).set('f', 9);
  expect([...map.keys()]).toEqual(['e', 'f']);
});

test('a bounded map looks for its oldest entry from where it found the last one, until others remove entries', () => {
  const map = new BoundedMap<number, number>(100);
  const keys = vi.spyOn(map, 'keys');
  for (let i = 0; i < 1000; i++) map.set(i, i);
  expect(keys).toHaveBeenCalledTimes(1);
  expect([...map.entries()][0]).toEqual([900, 900]);
  // Without more than it holds no iterator is left, which would keep the map's earlier tables.
  for (let i = 0; i < 1000; i++) {
    map.delete(900);
    map.set(900, i);
  }
  expect(keys).toHaveBeenCalledTimes(1);
  map.set(1000, 1000);
  expect(keys).toHaveBeenCalledTimes(2);
  expect([map.size, map.has(901), map.get(900)]).toEqual([100, false, 999]);
});
