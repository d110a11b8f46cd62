import { useEffect, useState } from 'react';
import type { Data } from '#contract/endpoint.ts';
import type { revealSecret } from '#subjects/orders/contract/order.ts';
import { leftText } from '#web/ui/countdown.tsx';
import { Button } from '#web/ui/button.tsx';
import { copyText } from '#web/ui/copy-button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { fullAt } from '#web/lib/format/times.ts';
import { pressedKey } from '#web/lib/forms/pressed-key.ts';

export type OpenedForm = Data<typeof revealSecret>;

/** Seconds for which an opened form may still be displayed; it was received `at`, by the viewer's own clock. */
function secondsLeft(form: OpenedForm, at: number): number {
  const span = Date.parse(form.openUntil) - Date.parse(form.openedTime);
  return Math.max(0, Math.ceil((at + span - Date.now()) / 1000));
}

/** Counts down the form's seconds; ends early when the page is hidden or left. */
function useOpenFor(form: OpenedForm, onEnd: () => void): number {
  const [at] = useState(() => Date.now());
  const [seconds, setSeconds] = useState(() => secondsLeft(form, at));
  useEffect(() => {
    const timer = setInterval(() => {
      const left = secondsLeft(form, at);
      setSeconds(left);
      if (left === 0) onEnd();
    }, 250);
    const hidden = () => {
      if (document.visibilityState === 'hidden') onEnd();
    };
    document.addEventListener('visibilitychange', hidden);
    window.addEventListener('pagehide', onEnd);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', hidden);
      window.removeEventListener('pagehide', onEnd);
    };
  }, [form, at, onEnd]);
  return seconds;
}

/** The viewer's watermark, repeated across every value. */
function Watermark({ text }: { text: string }) {
  return (
    <div
      className="pointer-events-none absolute -inset-8 z-1 flex rotate-[-16deg] flex-wrap content-center justify-center gap-x-7 gap-y-4 text-12 text-ink-3 opacity-40 select-none"
      aria-hidden="true"
    >
      {Array.from({ length: 40 }, (_, index) => (
        <span key={index} className="whitespace-nowrap">
          {text}
        </span>
      ))}
    </div>
  );
}

/** One value of the form with its copy button; an expired one-time code is displayed as expired. */
function Value({ field }: { field: OpenedForm['fields'][number] }) {
  return (
    <div className="flex items-baseline gap-3 border-b border-line-soft py-2.5 last:border-b-0">
      <dt className="w-24 flex-none text-13 text-ink-3">{field.label}</dt>
      <dd className="min-w-0 flex-1 font-mono text-16 font-semibold break-all whitespace-pre-wrap select-text">
        {field.value ?? <span className="font-sans text-13 font-normal text-attn">验证码已过期，请对方重新封存</span>}
      </dd>
      {field.value !== null && (
        <Button
          size="sm"
          kind="ghost"
          aria-label={`复制${field.label}`}
          className="relative z-2"
          onClick={() => void copyText(field.value ?? '')}
        >
          复制
        </Button>
      )}
    </div>
  );
}

/**
 * The opened form itself: its purpose and remaining time, the values under the watermark, and a note on the recorded
 * opening.
 */
function Opened({ form, seconds }: { form: OpenedForm; seconds: number }) {
  return (
    <>
      <p className="mb-3 flex flex-wrap items-center justify-between gap-2 text-13">
        <span className="text-ink-2">用途：{form.purpose}</span>
        <b className="text-attn tabular-nums" role="timer" aria-label={`${seconds} 秒后自动合上`}>
          {`${leftText(seconds)} 后合上`}
        </b>
      </p>
      <div className="relative overflow-hidden rounded-control border border-attn-line bg-sunken px-4 py-1">
        <Watermark text={`${form.watermark} ${fullAt(form.openedTime)}`} />
        <dl>
          {form.fields.map((field) => (
            <Value key={field.key} field={field} />
          ))}
        </dl>
      </div>
      <p className="mt-2.5 text-12 text-ink-3">
        您第 {form.count} 次查看，双方已收到通知。截屏会带上您的水印，请勿转发。
      </p>
    </>
  );
}

/**
 * An opened form while it may be displayed: with the viewer's watermark, closed by time, by Escape, and when the page
 * is hidden. The parent must discard the form in `onClose`. `isBeside`: rendered as a part of the page and not as a
 * dialog, so that the user can type next to it.
 */
export function SealedViewer({
  form,
  onClose,
  isBeside = false,
}: {
  form: OpenedForm;
  onClose: () => void;
  isBeside?: boolean;
}) {
  const seconds = useOpenFor(form, onClose);
  useEffect(() => {
    if (!isBeside) return;
    const onKey = (event: KeyboardEvent) => pressedKey(event) === 'Escape' && onClose();
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isBeside, onClose]);
  const close = (
    <Button kind="primary" size={isBeside ? 'sm' : 'md'} onClick={onClose}>
      合上
    </Button>
  );
  if (isBeside)
    return (
      <section className="w-full rounded-control border border-attn-line bg-attn-bg p-3" aria-label="密封信息">
        <Opened form={form} seconds={seconds} />
        {close}
      </section>
    );
  return (
    <Dialog title="密封信息" onClose={onClose} closeOnBackdrop={false} footer={close}>
      <Opened form={form} seconds={seconds} />
    </Dialog>
  );
}
