import { Circle, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { payerBrowser } from '#subjects/payments/rules/payer-browser.ts';
import { VOICE_MAX_SECONDS } from '../../../rules/voice.ts';
import { encodeWavFile } from '#web/lib/media/voice-recording.ts';
import { Button } from '#web/ui/button.tsx';

const TICK_MS = 200;

const silence = (stream: MediaStream): void => {
  for (const track of stream.getTracks()) track.stop();
};

/**
 * A recording of a stream: stopped at the maximum length, discarded by `drop`. The microphone is released at the end.
 */
function recordingOf(
  stream: MediaStream,
  { onTick, onEnd }: { onTick: (seconds: number) => void; onEnd: (sound: Blob | null) => void },
): { stop: () => void; drop: () => void } {
  const parts: Blob[] = [];
  const begun = performance.now();
  const own = new MediaRecorder(stream);
  let isDropped = false;
  const stop = () => {
    if (own.state === 'recording') own.stop();
  };
  const timer = setInterval(() => {
    const passed = (performance.now() - begun) / 1000;
    onTick(Math.floor(passed));
    if (passed >= VOICE_MAX_SECONDS - 0.5) stop();
  }, TICK_MS);
  own.ondataavailable = ({ data }) => parts.push(data);
  own.onstop = () => {
    clearInterval(timer);
    silence(stream);
    if (!isDropped) onEnd(parts.length > 0 ? new Blob(parts, { type: own.mimeType }) : null);
  };
  own.start();
  return {
    stop,
    drop: () => {
      isDropped = true;
      stop();
    },
  };
}

/** Records a voice in the browser and returns it as a file. An abandoned recording is not sent. */
export default function Recorder({
  disabled,
  onFile,
  onProblem,
}: {
  disabled: boolean;
  onFile: (file: File) => void;
  onProblem: (text: string | null) => void;
}) {
  const recording = useRef<ReturnType<typeof recordingOf> | null>(null);
  const isLeft = useRef(false);
  const [state, setState] = useState<'idle' | 'asking' | number>('idle');
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
      recording.current?.drop();
    };
  }, []);
  const fail = (text: string) => {
    setState('idle');
    onProblem(text);
  };
  const keep = (sound: Blob | null) => {
    setState('idle');
    const lost = () => onProblem('录音没有保存下来，请重录');
    if (sound) encodeWavFile(sound).then(onFile, lost);
    else lost();
  };
  const record = async () => {
    onProblem(null);
    setState('asking');
    let stream: MediaStream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    } catch {
      return fail(
        payerBrowser(navigator.userAgent) === 'wechat'
          ? '微信里没有拿到麦克风：请点右上角“…”选“在浏览器打开”，或改为选择文件'
          : '没有拿到麦克风，请在浏览器里允许使用麦克风，或改为选择文件',
      );
    }
    if (isLeft.current) return silence(stream);
    try {
      recording.current = recordingOf(stream, { onTick: setState, onEnd: keep });
      setState(0);
    } catch {
      silence(stream);
      fail('这个浏览器不能录音，请改为选择文件');
    }
  };
  if (typeof state === 'string')
    return (
      <Button disabled={disabled} busy={state === 'asking'} onClick={() => void record()}>
        <Circle className="icon text-danger" fill="currentColor" aria-hidden="true" />
        现场录音
      </Button>
    );
  return (
    <Button kind="primary" onClick={() => recording.current?.stop()}>
      <Square className="icon" fill="currentColor" aria-hidden="true" />
      <span aria-live="off">录音中 {state}″，点此结束</span>
    </Button>
  );
}
