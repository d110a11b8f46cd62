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
  /** Sends pictures; the messages about them. */
  const messagesOf = (files: File[]): unknown[] => {
    vi.mocked(toast).mockClear();
    sendImages(files, (f) => sent.push(f.name));
    return vi.mocked(toast).mock.calls.map(([text]) => text);
  };
  expect(messagesOf([file('a.gif', 'image/gif'), file('b.png', 'image/png', 10_241_024)])).toEqual([
    '图片格式错误，请上传JPEG/JPG/PNG',
    '图片大小不能超过10M',
  ]);
  const many = Array.from({ length: 10 }, (_, n) => file(`${n}.png`, 'image/png'));
  expect(messagesOf(many.slice(1))).toEqual([]);
  expect(messagesOf(many)).toEqual(['一次最多发送 9 张图片']);
  vi.runAllTimers();
  expect(sent).toHaveLength(18);
});
