/** Form and length of a voice clip, read from its bytes; a file's name and declared type prove nothing. */
export interface VoiceHeader {
  mime: 'audio/mpeg' | 'audio/mp4' | 'audio/wav';
  seconds: number;
}

const ascii = (file: Buffer, from: number, length: number): string => file.toString('latin1', from, from + length);

/** A WAV file: the bytes of its data by its bytes a second. */
function wav(file: Buffer): VoiceHeader | null {
  if (ascii(file, 0, 4) !== 'RIFF' || ascii(file, 8, 4) !== 'WAVE') return null;
  let rate = 0;
  for (let at = 12; at + 8 <= file.length; ) {
    const size = file.readUInt32LE(at + 4);
    const id = ascii(file, at, 4);
    if (id === 'fmt ' && at + 20 <= file.length) rate = file.readUInt32LE(at + 16);
    // A length beyond the end of the file is ignored.
    if (id === 'data')
      return rate > 0 ? { mime: 'audio/wav', seconds: Math.min(size, file.length - at - 8) / rate } : null;
    at += 8 + size + (size % 2);
  }
  return null;
}

/** Length of an MP4 file by its movie header, which is searched at the top level and in `moov`. */
function mp4(file: Buffer): VoiceHeader | null {
  if (ascii(file, 4, 4) !== 'ftyp') return null;
  let hasData = false;
  let seconds = 0;
  const walk = (from: number, to: number): void => {
    for (let at = from; at + 8 <= to; ) {
      const size = file.readUInt32BE(at);
      const id = ascii(file, at + 4, 4);
      if (size < 8 || at + size > to) return;
      if (id === 'mdat') hasData = true;
      if (id === 'moov') walk(at + 8, at + size);
      if (id === 'mvhd' && size >= 32) seconds = movieSeconds(file, at + 8, size - 8);
      at += size;
    }
  };
  walk(0, file.length);
  return hasData && seconds > 0 ? { mime: 'audio/mp4', seconds } : null;
}

function movieSeconds(file: Buffer, at: number, length: number): number {
  const isLong = file[at] === 1;
  if (length < (isLong ? 32 : 20)) return 0;
  const scale = file.readUInt32BE(at + (isLong ? 20 : 12));
  const duration = isLong ? Number(file.readBigUInt64BE(at + 24)) : file.readUInt32BE(at + 16);
  return scale === 0 ? 0 : duration / scale;
}

/** Kilobits a second of layer III by the header's index, of MPEG 1 and of MPEG 2 and 2.5. */
const KILOBITS = {
  one: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  two: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const HERTZ = [44_100, 48_000, 32_000] as const;

interface Frame {
  bytes: number;
  seconds: number;
}

/** The layer III frame that begins here; null if there is none. */
function frameAt(file: Buffer, at: number): Frame | null {
  if (at + 4 > file.length) return null;
  const [sync = 0, version = 0, rates = 0] = [file[at], file[at + 1], file[at + 2]];
  if (sync !== 0xff || (version & 0xe0) !== 0xe0 || (version & 0x06) !== 0x02) return null;
  const id = (version >> 3) & 3;
  const hertz = HERTZ[(rates >> 2) & 3];
  const kilobits = (id === 3 ? KILOBITS.one : KILOBITS.two)[rates >> 4] ?? 0;
  if (id === 1 || hertz === undefined || kilobits === 0) return null;
  const rate = id === 3 ? hertz : id === 2 ? hertz / 2 : hertz / 4;
  const samples = id === 3 ? 1152 : 576;
  return { bytes: Math.floor(((samples / 8) * kilobits * 1000) / rate) + ((rates >> 1) & 1), seconds: samples / rate };
}

/** An MP3 file: its frames are counted one by one, so that changing bit rates do not matter. */
function mp3(file: Buffer): VoiceHeader | null {
  let at = 0;
  if (ascii(file, 0, 3) === 'ID3' && file.length > 10)
    at = 10 + [6, 7, 8, 9].reduce((size, index) => size * 128 + ((file[index] ?? 0) & 127), 0);
  const MIN_FRAMES = 20;
  let frames = 0;
  let seconds = 0;
  for (let frame = frameAt(file, at); frame; frame = frameAt(file, at)) {
    frames += 1;
    seconds += frame.seconds;
    at += frame.bytes;
  }
  return frames >= MIN_FRAMES ? { mime: 'audio/mpeg', seconds } : null;
}

/** Format and length of a voice clip; null for other files. */
export function readVoiceHeader(file: Buffer): VoiceHeader | null {
  if (file.length < 64) return null;
  return wav(file) ?? mp4(file) ?? mp3(file);
}
