import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Load } from '#server/http/load.ts';

let load: Load;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  load = new Load();
});
afterEach(() => {
  load.stop();
  vi.useRealTimers();
});

/** Lets 400 people ask at once; those who are let in are answered after `ms`. Answers how many were let in. */
function wave(ms: number): number {
  const responses = Array.from({ length: 400 }, () => new ServerResponse(new IncomingMessage(new Socket())));
  const inside = responses.filter((response) => load.begin(response));
  vi.advanceTimersByTime(ms);
  for (const response of inside) response.emit('close');
  return inside.length;
}

test('a burst upon a quiet server is taken whole, and so is what is answered quickly', () => {
  for (let i = 0; i < 20; i++) expect(wave(100)).toBe(320);
});

test('what keeps coming and takes long is let in by fewer, never by none; when it is quick again, by all', () => {
  const slow = Array.from({ length: 10 }, () => wave(1_500));
  expect(slow[0]).toBe(320);
  expect(slow.at(-1)).toBe(32);
  // Two dozen waves of few bring the average down.
  let last = 0;
  for (let i = 0; i < 40; i++) last = wave(200);
  expect(last).toBe(320);
});
