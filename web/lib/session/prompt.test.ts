import { expect, test } from 'vitest';
import { prompt } from './prompt.ts';

test('calls about the same share one dialog and its answer', async () => {
  const asked = prompt<string>();
  const first = asked.ask('pay');
  expect(asked.current()?.about).toBe('pay');
  const second = asked.ask('pay');
  asked.current()?.settle(true);
  expect(await Promise.all([first, second])).toEqual([true, true]);
  expect(asked.current()).toBeNull();
});

test('a call about something else closes the dialog that is open', async () => {
  const asked = prompt<string>();
  const first = asked.ask('pay');
  const second = asked.ask('email');
  expect(await first).toBe(false);
  expect(asked.current()?.about).toBe('email');
  asked.current()?.settle(true);
  expect(await second).toBe(true);
});

test('a prompt about nothing in particular opens again after its answer', async () => {
  const asked = prompt();
  const first = asked.ask();
  expect(asked.ask()).toBe(first);
  asked.current()?.settle(false);
  expect(await first).toBe(false);
  const later = asked.ask();
  expect(later).not.toBe(first);
  asked.current()?.settle(true);
  expect(await later).toBe(true);
});

test('those who render it hear of each change until they leave', () => {
  const asked = prompt();
  const seen: boolean[] = [];
  const leave = asked.subscribe(() => seen.push(asked.current() !== null));
  void asked.ask();
  asked.current()?.settle(true);
  leave();
  void asked.ask();
  expect(seen).toEqual([true, false]);
});

test('a late result of a replaced request does not close the open dialog', async () => {
  const asked = prompt<string>();
  void asked.ask('pay');
  const late = asked.current();
  const second = asked.ask('email');
  late?.settle(true);
  expect(asked.current()?.about).toBe('email');
  asked.current()?.settle(true);
  expect(await second).toBe(true);
});
