import { Pause, Play } from 'lucide-react';
import { useRef, useState } from 'react';
import { cx } from '#web/ui/class-names.ts';

const BARS = 26;

/** Heights of a voice's bars, the same for the same voice: a picture of "a voice", not of its loudness. */
function barsOf(key: string): number[] {
  let seed = [...key].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7);
  return Array.from({ length: BARS }, () => {
    seed = (seed * 75 + 74) % 65_537;
    return 4 + (seed % 13);
  });
}

/** The one voice that plays: another one stops it. */
let playing: HTMLAudioElement | null = null;

function playAlone(element: HTMLAudioElement): void {
  if (playing !== element) playing?.pause();
  playing = element;
  void element.play().catch(() => undefined);
}

/** Plays a voice sample in place, one at a time; its bars show the progress. */
export function VoicePlayer({ voice, name }: { voice: { key: string; url: string; seconds: number }; name: string }) {
  const audio = useRef<HTMLAudioElement>(null);
  const [part, setPart] = useState(0);
  const [on, setOn] = useState(false);
  const toggle = () => {
    if (!audio.current) return;
    if (on) audio.current.pause();
    else playAlone(audio.current);
  };
  const bars = barsOf(voice.key);
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: a short introduction by voice, whose text is the introduction */}
      <audio
        ref={audio}
        preload="none"
        src={voice.url}
        onPlay={() => setOn(true)}
        onPause={() => setOn(false)}
        onEnded={() => setPart(0)}
        onTimeUpdate={({ currentTarget }) => setPart(currentTarget.currentTime / voice.seconds)}
      />
      <button
        type="button"
        className="relative z-1 inline-flex h-8 max-w-full items-center gap-2 rounded-full bg-brand-50 pr-3 pl-2.5 text-12 text-ink-2"
        aria-label={`${on ? '暂停' : '播放'}${name}的语音，${voice.seconds} 秒`}
        aria-pressed={on}
        onClick={toggle}
      >
        {on ? (
          <Pause className="icon size-3.5 text-brand-700" aria-hidden="true" />
        ) : (
          <Play className="icon size-3.5 text-brand-700" aria-hidden="true" />
        )}
        <span className="flex min-w-0 items-center gap-0.5 overflow-hidden" aria-hidden="true">
          {bars.map((height, index) => (
            <i
              // biome-ignore lint/suspicious/noArrayIndexKey: the bars of one voice never move
              key={index}
              className={cx('w-0.5 flex-none rounded-full', index / BARS < part ? 'bg-brand-700' : 'bg-brand-200')}
              style={{ height }}
            />
          ))}
        </span>
        <span className="flex-none whitespace-nowrap">{voice.seconds}″</span>
      </button>
    </>
  );
}
