import { createHash } from 'node:crypto';

/**
 * Voices of the demo's companions: a few soft tones, generated here and therefore free of rights. The seed stores their parameters, the
 * server stores the files when it starts, since the seed has no storage.
 */
const RATE = 8_000;
const HEADER_BYTES = 44;
const SCALE = [0, 2, 4, 7, 9, 12];
const BASE_HZ = 262;
const NOTE_SECONDS = 0.5;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

export interface Tone {
  seed: number;
  seconds: number;
}

/** The file's key: the same for the same tone. */
export function toneKey({ seed, seconds }: Tone): string {
  const hash = createHash('sha256').update(`demo-voice:${seed}:${seconds}`).digest();
  return `${[...hash.subarray(0, 26)].map((byte) => LETTERS[byte % LETTERS.length]).join('')}-${seconds}.wav`;
}

/** A WAV file of tones, 8 bits, one channel. */
export function toneFile({ seed, seconds }: Tone): Buffer {
  const data = Buffer.alloc(RATE * seconds, 128);
  for (let i = 0; i < data.length; i += 1) {
    const at = i / RATE;
    const note = Math.floor(at / NOTE_SECONDS);
    const step = SCALE[(note * (seed + 3) + seed) % SCALE.length] ?? 0;
    const fade = Math.exp(-5 * (at - note * NOTE_SECONDS));
    data[i] = 128 + Math.round(60 * fade * Math.sin(2 * Math.PI * BASE_HZ * 2 ** (step / 12) * at));
  }
  const head = Buffer.alloc(HEADER_BYTES);
  head.write('RIFF', 0);
  head.writeUInt32LE(HEADER_BYTES - 8 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

/** The voices of the demo's companions, in the order of the seed. */
export const TONES: readonly Tone[] = [
  { seed: 1, seconds: 11 },
  { seed: 2, seconds: 14 },
  { seed: 3, seconds: 9 },
  { seed: 4, seconds: 16 },
  { seed: 5, seconds: 12 },
];
