/** The market's voice format: WAV, one channel, 16 bits, 16,000 samples a second, so that a minute stays below two megabytes. */
export const SAMPLE_RATE = 16_000;

const HEADER_BYTES = 44;
const text = (view: DataView, at: number, letters: string): void => {
  for (let i = 0; i < letters.length; i += 1) view.setUint8(at + i, letters.charCodeAt(i));
};

/** The bytes of a WAV file of samples from -1 to 1. */
export function wavOf(samples: Float32Array): ArrayBuffer {
  const bytes = samples.length * 2;
  const buffer = new ArrayBuffer(HEADER_BYTES + bytes);
  const view = new DataView(buffer);
  text(view, 0, 'RIFF');
  view.setUint32(4, HEADER_BYTES - 8 + bytes, true);
  text(view, 8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, SAMPLE_RATE, true);
  view.setUint32(28, SAMPLE_RATE * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(view, 36, 'data');
  view.setUint32(40, bytes, true);
  for (const [i, sample] of samples.entries())
    view.setInt16(HEADER_BYTES + i * 2, Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), true);
  return buffer;
}

/** Converts a browser recording to WAV: browsers record formats without a length. */
export async function encodeWavFile(recorded: Blob): Promise<File> {
  const context = new AudioContext();
  try {
    const decoded = await context.decodeAudioData(await recorded.arrayBuffer());
    const frames = Math.max(1, Math.ceil(decoded.duration * SAMPLE_RATE));
    const offline = new OfflineAudioContext(1, frames, SAMPLE_RATE);
    const source = offline.createBufferSource();
    source.buffer = decoded;
    source.connect(offline.destination);
    source.start();
    const resampled = await offline.startRendering();
    return new File([wavOf(resampled.getChannelData(0))], 'voice.wav', { type: 'audio/wav' });
  } finally {
    await context.close();
  }
}
