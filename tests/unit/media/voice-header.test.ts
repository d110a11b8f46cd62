/** Recognition of voice clips by their bytes: forms, lengths, and files that only look like one. */
import { expect, test } from 'vitest';
import { readVoiceHeader } from '#subjects/media/server/voice-header.ts';
import { wavFile } from '#tests/support/services/companion.ts';

const FRAME_BYTES = 417;
/** An MP3 of silent frames: 128 kbit/s at 44.1 kHz, 26 ms each. */
function mp3File(frames: number): Buffer {
  const frame = Buffer.alloc(FRAME_BYTES);
  frame.set([0xff, 0xfb, 0x90, 0x64]);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}

function box(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8, 0);
  head.write(type, 4);
  return Buffer.concat([head, body]);
}

function m4aFile(seconds: number): Buffer {
  const header = Buffer.alloc(100);
  header.writeUInt32BE(1000, 12);
  header.writeUInt32BE(seconds * 1000, 16);
  return Buffer.concat([
    box('ftyp', Buffer.from('M4A \0\0\0\0')),
    box('moov', box('mvhd', header)),
    box('mdat', Buffer.alloc(500)),
  ]);
}

test('reads the length of each form', () => {
  expect(readVoiceHeader(wavFile(7))).toEqual({ mime: 'audio/wav', seconds: 7 });
  expect(readVoiceHeader(m4aFile(42))).toEqual({ mime: 'audio/mp4', seconds: 42 });
  const mp3 = readVoiceHeader(mp3File(383));
  expect([mp3?.mime, Math.round(mp3?.seconds ?? 0)]).toEqual(['audio/mpeg', 10]);
  const tagged = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x01\0', 'latin1'), Buffer.alloc(128), mp3File(383)]);
  expect(Math.round(readVoiceHeader(tagged)?.seconds ?? 0)).toBe(10);
});

test('rejects a length beyond the file, and a file that only starts like a voice clip', () => {
  const lying = wavFile(5);
  lying.writeUInt32LE(4_000_000_000, 40);
  expect(readVoiceHeader(lying)?.seconds).toBe(5);
  for (const file of [
    Buffer.alloc(0),
    Buffer.alloc(5000),
    Buffer.from('<html>'.repeat(100)),
    Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(5000)]),
    mp3File(3),
    m4aFile(0),
    box('ftyp', Buffer.alloc(200)),
    wavFile(5).subarray(0, 40),
  ])
    expect(readVoiceHeader(file)).toBeNull();
});
