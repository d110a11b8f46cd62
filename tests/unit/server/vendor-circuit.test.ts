/** The circuit breaker of a vendor: opens after consecutive faults, probes by one call, closes by a response; what is counted and reported. */
import { describe, expect, it } from 'vitest';
import { UnknownResult, VendorRejected, VendorUnavailable } from '#server/kernel/errors.ts';
import { createVendorRegistry, guarded, type VendorCall } from '#server/kernel/vendors.ts';

function world() {
  let nowMs = 0;
  const calls: VendorCall[] = [];
  const turns: string[] = [];
  const registry = createVendorRegistry(() => nowMs);
  registry.listen({ called: (call) => void calls.push(call), circuit: (_vendor, state) => void turns.push(state) });
  const vendor = registry.add({ key: 'test', label: '测试', subject: '测试', state: 'on' });
  const fail = (error: Error) => vendor.run('do', () => Promise.reject(error)).catch((e: unknown) => e);
  const work = () => vendor.run('do', () => Promise.resolve('done'));
  return { registry, vendor, calls, turns, fail, work, pass: (ms: number) => (nowMs += ms) };
}

const lost = () => new UnknownResult('no response');

describe('the circuit breaker', () => {
  it('opens after five consecutive faults, and then calls nothing', async () => {
    const w = world();
    for (let i = 0; i < 4; i++) await w.fail(lost());
    expect(w.vendor.circuit()).toBe('closed');
    await w.fail(new VendorUnavailable('away'));
    expect(w.vendor.circuit()).toBe('open');
    let tried = false;
    const skipped = await w.vendor
      .run('do', () => {
        tried = true;
        return Promise.resolve();
      })
      .catch((e: unknown) => e);
    expect(skipped).toBeInstanceOf(VendorUnavailable);
    expect(tried).toBe(false);
    expect(w.calls.map((c) => c.outcome)).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'unreached', 'skipped']);
  });

  it('stays closed when faults alternate with responses, and when the vendor rejects', async () => {
    const w = world();
    for (let i = 0; i < 12; i++) {
      await w.fail(lost());
      if (i % 4 === 3) await w.work();
    }
    for (let i = 0; i < 9; i++) await w.fail(new VendorRejected('limit', 'isv.LIMIT'));
    expect(w.vendor.circuit()).toBe('closed');
    expect(w.calls.at(-1)).toMatchObject({ outcome: 'rejected', error: 'isv.LIMIT' });
  });

  it('probes by one call after its time: a fault keeps it open for longer, a response closes it', async () => {
    const w = world();
    for (let i = 0; i < 5; i++) await w.fail(lost());
    w.pass(14_999);
    await expect(w.work()).rejects.toThrow(VendorUnavailable);
    w.pass(1);
    let end: (() => void) | undefined;
    const probe = w.vendor.run('do', () => new Promise<void>((_resolve, reject) => (end = () => reject(lost()))));
    expect(w.vendor.circuit()).toBe('probing');
    // Others do not follow the probe.
    await expect(w.work()).rejects.toThrow(VendorUnavailable);
    end?.();
    await expect(probe).rejects.toThrow(UnknownResult);
    w.pass(29_999);
    await expect(w.work()).rejects.toThrow(VendorUnavailable);
    w.pass(1);
    expect(await w.work()).toBe('done');
    expect(w.vendor.circuit()).toBe('closed');
    expect(w.turns).toEqual(['open', 'probing', 'open', 'probing', 'closed']);
    // Its wait is short again.
    for (let i = 0; i < 5; i++) await w.fail(lost());
    w.pass(15_000);
    expect(await w.work()).toBe('done');
  });

  it('waits five minutes at most', async () => {
    const w = world();
    for (let i = 0; i < 5; i++) await w.fail(lost());
    for (let i = 0; i < 12; i++) {
      w.pass(5 * 60_000);
      await w.fail(lost());
    }
    w.pass(5 * 60_000);
    expect(await w.work()).toBe('done');
  });

  it('allows at most 64 waiting calls per vendor', async () => {
    const w = world();
    const ends: (() => void)[] = [];
    const all = Array.from({ length: 64 }, () =>
      w.vendor.run('do', () => new Promise<void>((resolve) => ends.push(resolve))),
    );
    await expect(w.work()).rejects.toThrow(VendorUnavailable);
    for (const end of ends) end();
    await Promise.all(all);
    expect(await w.work()).toBe('done');
  });
});

it('passes the named methods of a port on, with its other members unchanged', async () => {
  const w = world();
  const port = { name: 'p', double: (n: number) => Promise.resolve(n * 2), other: () => 'plain' };
  const through = guarded(port, w.vendor, ['double']);
  expect(await through.double(4)).toBe(8);
  expect(through.other()).toBe('plain');
  expect(w.calls).toHaveLength(1);
  expect(w.calls[0]).toMatchObject({ vendor: 'test', call: 'double', outcome: 'ok' });
});

it('reports only the class of an unexpected error', async () => {
  const w = world();
  await w.fail(new TypeError('of 13800138000'));
  expect(w.calls[0]).toMatchObject({ outcome: 'unknown', error: 'TypeError' });
});

it('accepts each key once', () => {
  const w = world();
  expect(() => w.registry.add({ key: 'test', label: '', subject: '', state: 'off' })).toThrow(/already registered/);
});
