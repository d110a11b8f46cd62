import { beforeEach, expect, test, vi } from 'vitest';
import type { KeyStore } from '#web/lib/api/intent-key.ts';
import { savePayment, type SavedPayment, savedPayment, savedText, subscribeSavedPayment } from './saved-payment.ts';

const saved: SavedPayment = {
  channelName: '支付宝',
  payment: {
    payRand: 'rand12345678',
    payInterSn: 'PI1',
    payUrl: '/api/pay/showPayUrl/rand12345678',
    qrText: '',
    qrSvg: '<svg/>',
    amount: '12.80',
    way: 'qr',
    goUrl: null,
    channel: 'sandbox',
    jumpUrl: null,
    jsapi: null,
    expireTime: '2026-11-20T12:00:00+08:00',
  },
};
let store: KeyStore;

beforeEach(() => {
  const held = new Map<string, string>();
  store = {
    getItem: (name) => held.get(name) ?? null,
    setItem: (name, value) => void held.set(name, value),
    removeItem: (name) => void held.delete(name),
  };
});

test('a payment can be restored until it expires', () => {
  savePayment('order:1', saved, store);
  const text = savedText('order:1', store);
  expect(savedPayment(text, '2026-11-20T03:59:59Z')).toEqual(saved);
  expect(savedPayment(text, '2026-11-20T04:00:00Z')).toBeNull();
  expect(savedText('order:2', store)).toBeNull();
});

test('a deleted payment is gone; a damaged one is null', () => {
  savePayment('order:1', saved, store);
  savePayment('order:1', null, store);
  expect(savedText('order:1', store)).toBeNull();
  expect(savedPayment('{"payment":', '2026-11-20T03:00:00Z')).toBeNull();
});

test('a subscriber is called on each change until it unsubscribes', () => {
  const listener = vi.fn();
  const stop = subscribeSavedPayment(listener);
  savePayment('order:1', saved, store);
  savePayment('order:1', null, store);
  stop();
  savePayment('order:1', saved, store);
  expect(listener).toHaveBeenCalledTimes(2);
});

test('a blocked store loses the payment and nothing else', () => {
  const refuse = () => {
    throw new Error('denied');
  };
  const denied: KeyStore = { getItem: refuse, setItem: refuse, removeItem: refuse };
  expect(() => savePayment('order:1', saved, denied)).not.toThrow();
  expect(savedText('order:1', denied)).toBeNull();
});
