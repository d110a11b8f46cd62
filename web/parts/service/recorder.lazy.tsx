import { Circle, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { VOICE_MAX_SECONDS } from '#contract/rules/voice.ts';
import { wavFileOf } from '#web/lib/voice-recording.ts';
import { Button } from '#web/ui/button.tsx';

const TICK_MS = 200;

/** Records a voice in the browser and hands it over as a file. */
export default function Recorder({
  disabled,
  onFile,
  onProblem,
}: {
  disabled: boolean;
  onFile: (file: File) => void;
  onProblem: (text: string) => void;
}) {
  const recorder = useRef<MediaRecorder | null>(null);
  const [seconds, setSeconds] = useState<number | null>(null);
  const stop = () => {
    if (recorder.current?.state === 'recording') recorder.current.stop();
  };
  useEffect(() => stop, []);
  const record = async () => {
    let stream: MediaStream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    } catch {
      onProblem('没有拿到麦克风，请在浏览器里允许使用麦克风，或改为选择文件');
      return;
    }
    const parts: Blob[] = [];
    const begun = performance.now();
    const own = new MediaRecorder(stream);
    recorder.current = own;
    const timer = setInterval(() => {
      const passed = (performance.now() - begun) / 1000;
      setSeconds(Math.floor(passed));
      if (passed >= VOICE_MAX_SECONDS - 0.5) stop();
    }, TICK_MS);
    own.ondataavailable = ({ data }) => parts.push(data);
    own.onstop = () => {
      clearInterval(timer);
      setSeconds(null);
      for (const track of stream.getTracks()) track.stop();
      wavFileOf(new Blob(parts, { type: own.mimeType })).then(onFile, () => onProblem('录音没有保存下来，请重录'));
    };
    own.start();
    setSeconds(0);
  };
  return seconds === null ? (
    <Button disabled={disabled} onClick={() => void record()}>
      <Circle className="icon text-danger" fill="currentColor" aria-hidden="true" />
      现场录音
    </Button>
  ) : (
    <Button kind="primary" onClick={stop}>
      <Square className="icon" fill="currentColor" aria-hidden="true" />
      <span aria-live="off">录音中 {seconds}″，点此结束</span>
    </Button>
  );
}
