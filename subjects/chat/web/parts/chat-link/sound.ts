const KEY = 'chatSound';
const MIN_GAP_MS = 800;

let context: AudioContext | null = null;
let playedAt = 0;

/** Whether 消息提示音 is enabled on this device. */
export function isSoundOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== '0';
  } catch {
    return true;
  }
}

const listeners = new Set<() => void>();

/** For useSyncExternalStore. */
export function subscribeSound(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Saves in this browser whether messages make a sound. */
export function setSound(on: boolean): void {
  try {
    localStorage.setItem(KEY, on ? '1' : '0');
  } catch {
    // Storage may be unavailable in private windows; the sound then stays on.
  }
  for (const listener of listeners) listener();
}

/** Plays two short tones; silent where the browser blocks sound before a user gesture. */
export function playSound(): void {
  const now = Date.now();
  if (!isSoundOn() || now - playedAt < MIN_GAP_MS) return;
  playedAt = now;
  context ??= new AudioContext();
  if (context.state !== 'running') {
    void context.resume().catch(() => undefined);
    return;
  }
  for (const [index, hertz] of [880, 1175].entries()) {
    const at = context.currentTime + index * 0.11;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.07, at);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.1);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + 0.1);
  }
}
