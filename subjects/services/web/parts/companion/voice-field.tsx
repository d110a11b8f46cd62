import { Mic } from 'lucide-react';
import { type ChangeEvent, useId, useState } from 'react';
import { uploadVoice } from '#subjects/media/contract/voice.ts';
import type { Data } from '#contract/endpoint.ts';
import { payerBrowser } from '#subjects/payments/rules/payer-browser.ts';
import { VOICE_ACCEPT, VOICE_MAX_BYTES } from '../../../rules/voice.ts';
import { useHydrated } from '#web/lib/loading/use-hydrated.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { sendFile } from '#web/lib/media/upload.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { FormError } from '#web/ui/forms/field.tsx';

export type Voice = Data<typeof uploadVoice>;

/** Loaded only when recording is started. */
const Recorder = lazyWithRetry(() => import('./recorder.lazy.tsx'));

/** A voice clip: recorded or chosen, uploaded immediately, played back before it is sent. */
export function VoiceField({
  voice,
  error: missing,
  onChange,
}: {
  voice: Voice | null;
  error: Message | undefined;
  onChange: (voice: Voice) => void;
}) {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const { busy, error, send } = useMutation(
    (file: File) => sendFile<Voice>(uploadVoice, '', file, '语音上传失败，请重试'),
    { done: onChange },
  );
  const take = async (file: File) => {
    const isLarge = file.size > VOICE_MAX_BYTES;
    setProblem(isLarge ? '语音不能超过 2M' : null);
    if (!isLarge) await send(file);
  };
  const pick = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (!file) return;
    await take(file);
    target.value = '';
  };
  const isInWechat = useHydrated() && payerBrowser(navigator.userAgent) === 'wechat';
  const message = problem ?? error ?? missing;
  return (
    <div className="field">
      <span className="field-label" id={`${id}label`}>
        语音介绍
      </span>
      <div className="flex flex-wrap items-center gap-3">
        <label className="btn relative cursor-pointer" aria-busy={busy}>
          <Mic className="icon" aria-hidden="true" />
          {busy ? '上传中…' : voice ? '换一段' : '选择语音'}
          <input
            type="file"
            name="voice"
            accept={VOICE_ACCEPT}
            disabled={busy}
            aria-labelledby={`${id}label`}
            aria-describedby={`${id}help`}
            aria-invalid={message ? true : undefined}
            className="absolute inset-0 cursor-pointer opacity-0"
            onChange={(event) => void pick(event)}
          />
        </label>
        <Recorder disabled={busy} onFile={(file) => void take(file)} onProblem={setProblem} />
        {voice && (
          // biome-ignore lint/a11y/useMediaCaption: a short introduction by voice, whose text is the introduction above
          <audio controls preload="none" src={voice.url} className="h-9 max-w-full" aria-label="语音介绍" />
        )}
      </div>
      {message ? (
        <FormError>{message}</FormError>
      ) : (
        <p className="field-help" id={`${id}help`}>
          现场录一段，或选择 MP3、M4A、WAV，3 到 60 秒，不超过 2M；说说您会怎么陪玩，不要留联系方式。审核通过后公开。
          {isInWechat && '微信里录不了音或选不到文件时，点右上角“…”选“在浏览器打开”。'}
        </p>
      )}
    </div>
  );
}
