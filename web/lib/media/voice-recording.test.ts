import { afterEach, expect, test, vi } from 'vitest';
import { SAMPLE_RATE, encodeWavFile, wavOf } from './voice-recording.ts';

afterEach(() => vi.unstubAllGlobals());

test('a WAV file of one channel, 16 bits and 16,000 samples a second', () => {
  const bytes = new Uint8Array(wavOf(new Float32Array([0, 1, -1, 0.5, 2, -2])));
  const view = new DataView(bytes.buffer);
  const text = (from: number, to: number) => String.fromCharCode(...bytes.slice(from, to));
  expect([text(0, 4), text(8, 16), text(36, 40)]).toEqual(['RIFF', 'WAVEfmt ', 'data']);
  // The length after this number, of the format, and of the samples.
  expect([4, 16, 40].map((at) => view.getUint32(at, true))).toEqual([48, 16, 12]);
  expect([20, 22, 32, 34].map((at) => view.getUint16(at, true))).toEqual([1, 1, 2, 16]);
  expect([24, 28].map((at) => view.getUint32(at, true))).toEqual([16_000, 32_000]);
  const samples = Array.from({ length: 6 }, (_, i) => view.getInt16(44 + i * 2, true));
  expect(samples).toEqual([0, 32_767, -32_767, 16_384, 32_767, -32_767]);
  expect(bytes.length).toBe(56);
});

/** A browser's sound that decodes every recording to the given seconds. */
function playBrowser(
  duration: number,
  decode: () => Promise<unknown> = async () => await Promise.resolve({ duration }),
) {
  const did: unknown[] = [];
  vi.stubGlobal(
    'AudioContext',
    class {
      decodeAudioData = decode;
      close = async () => await Promise.resolve(did.push('close'));
    },
  );
  vi.stubGlobal(
    'OfflineAudioContext',
    class {
      destination = 'out';
      source = {
        buffer: null as unknown,
        connect: (to: unknown) => did.push(['connect', to]),
        start: () => did.push('start'),
      };
      constructor(...given: unknown[]) {
        did.push(given);
      }
      createBufferSource = () => this.source;
      startRendering = async () => {
        did.push(this.source.buffer);
        return await Promise.resolve({ getChannelData: (channel: number) => new Float32Array([channel, 1]) });
      };
    },
  );
  return did;
}

test('a recording is converted to that format', async () => {
  const did = playBrowser(1.5);
  const file = await encodeWavFile(new Blob(['x']));
  expect([file.name, file.type, file.size]).toEqual(['voice.wav', 'audio/wav', 48]);
  expect(did).toEqual([[1, 24_000, SAMPLE_RATE], ['connect', 'out'], 'start', { duration: 1.5 }, 'close']);
});

test('an empty recording has one frame', async () => {
  expect((await encodeWavFile(new Blob([])).catch(() => null)) ?? null).toBeNull();
  const did = playBrowser(0);
  await encodeWavFile(new Blob([]));
  expect(did[0]).toEqual([1, 1, 16_000]);
});

test('the browser’s sound is closed when the recording cannot be read', async () => {
  const did = playBrowser(1, async () => await Promise.reject(new Error('bad')));
  await expect(encodeWavFile(new Blob(['x']))).rejects.toThrow('bad');
  expect(did).toEqual(['close']);
});
