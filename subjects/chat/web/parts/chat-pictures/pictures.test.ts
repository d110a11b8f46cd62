import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { sendImages } from './pictures.ts';

vi.mock('#web/ui/overlays/toast-store.ts', () => ({ toast: vi.fn() }));

const file = (name: string, type: string, bytes = 10): File =>
  Object.defineProperty(new File(['x'], name, { type }), 'size', { value: bytes });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.mocked(toast).mockClear();
});

test('pictures are sent 50 ms apart, in order', () => {
  const sent: string[] = [];
  sendImages([file('a.png', 'image/png'), file('b.jpg', 'image/jpg'), file('c.jpeg', 'image/jpeg')], (f) =>
    sent.push(f.name),
  );
  vi.advanceTimersByTime(0);
  expect(sent).toEqual(['a.png']);
  vi.advanceTimersByTime(49);
  expect(sent).toEqual(['a.png']);
  vi.advanceTimersByTime(1);
  expect(sent).toEqual(['a.png', 'b.jpg']);
  vi.advanceTimersByTime(50);
  expect(sent).toEqual(['a.png', 'b.jpg', 'c.jpeg']);
});

test('another format, a picture above 10 MB and a tenth one are reported and skipped', () => {
  const sent: string[] = [];
  const send = (f: File): void => void sent.push(f.name);
  sendImages([file('a.gif', 'image/gif'), file('b.png', 'image/png', 10_241_024)], send);
  sendImages(
    Array.from({ length: 10 }, (_, n) => file(`${n}.png`, 'image/png')),
    send,
  );
  vi.runAllTimers();
  expect(sent).toHaveLength(9);
  expect(vi.mocked(toast).mock.calls.map(([text]) => text)).toEqual([
    '图片格式错误，请上传JPEG/JPG/PNG',
    '图片大小不能超过10M',
    '一次最多发送 9 张图片',
  ]);
});
