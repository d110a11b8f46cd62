import { useEffect, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

/**
 * Seconds left of a wait that `start` begins. Measured against the clock, so that a suspended tab does not lengthen it.
 */
function useCountdown(): { left: number; start: (seconds: number) => void } {
  const [until, setUntil] = useState(0);
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (until === 0) return;
    const tick = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    tick();
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  }, [until]);
  return { left, start: (seconds) => setUntil(Date.now() + seconds * 1000) };
}

/**
 * The field for an SMS code with its request button. `send` resolves to the seconds until the next request is possible,
 * or to null when it has shown why none was sent. The button counts the seconds down.
 */
export function CodeField({
  name = 'smsCode',
  label = '短信验证码',
  error,
  help,
  send,
}: {
  name?: string;
  label?: string;
  error?: Message | undefined;
  help?: string | undefined;
  send: () => Promise<number | null>;
}) {
  const [sent, setSent] = useState(false);
  const { left, start } = useCountdown();

  const request = useMutation(() => send(), {
    done: (seconds) => {
      if (seconds === null) return;
      start(seconds);
      setSent(true);
      toast('验证码已发送，5 分钟内有效', 'ok');
    },
  });

  return (
    <Field label={label} required error={error} help={help}>
      {(control) => (
        <span className="flex gap-2">
          <Input {...control} name={name} inputMode="numeric" autoComplete="one-time-code" placeholder="6 位数字" />
          <Button
            className="h-auto! min-w-28 flex-none"
            busy={request.busy}
            disabled={left > 0}
            onClick={() => void request.send()}
          >
            {left > 0 ? `${left} 秒后重发` : sent ? '重新获取' : '获取验证码'}
          </Button>
        </span>
      )}
    </Field>
  );
}
