import { expect, test } from 'vitest';
import { readVoiceHeader } from '#subjects/media/server/voice-header.ts';
import { VOICE_MAX_BYTES, VOICE_MAX_SECONDS } from '#subjects/services/rules/voice.ts';
import { SAMPLE_RATE, wavOf } from '#web/lib/media/voice-recording.ts';

test('a browser’s recording is a valid voice clip of its length, and a minute is not too large', () => {
  const file = Buffer.from(wavOf(new Float32Array(SAMPLE_RATE * VOICE_MAX_SECONDS).fill(0.2)));
  expect(readVoiceHeader(file)).toMatchObject({ mime: 'audio/wav', seconds: VOICE_MAX_SECONDS });
  expect(file.length).toBeLessThan(VOICE_MAX_BYTES);
  // Louder than a sample can say is cut, not wrapped round.
  expect(Buffer.from(wavOf(new Float32Array([2, -2]))).readInt16LE(44)).toBe(32_767);
});
