import { useState } from 'react';
import { tryNoticeText } from '#subjects/notices/contract/staff-texts.ts';
import type { TrialChannel } from '../../rules/notice-text.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { pressedKey } from '#web/lib/forms/pressed-key.ts';

/** A text as typed. */
export interface Wording {
  title: string;
  body: string;
  template: string;
}

/** The receiver data that each channel requires. */
const RECEIVERS: Readonly<Record<TrialChannel, { title: string; label: string; help?: string }>> = {
  sms: { title: '试发短信', label: '您的手机号' },
  email: { title: '试发邮件', label: '您的邮箱' },
  wechat: { title: '试发微信消息', label: '您在本站的手机号', help: '发给这个账号绑定的微信，须已关注公众号' },
  push: { title: '试发浏览器推送', label: '您在本站的手机号', help: '发到这个账号开启了推送的浏览器' },
};

/** Sends a text with example values to the user's own phone, mail address or devices; the text need not be saved. */
export function TrialDialog({
  kind,
  channel,
  wording,
  onClose,
}: {
  kind: string;
  channel: TrialChannel;
  wording: Wording;
  onClose: () => void;
}) {
  const [to, setTo] = useState('');
  const [outcome, setOutcome] = useState<{ ok: boolean; text: string } | null>(null);
  const { busy, errors, send } = useMutation(tryNoticeText, {
    fields: ['to'],
    done: setOutcome,
    failed: () => setOutcome(null),
  });
  const { title, label, help } = RECEIVERS[channel];
  const isMail = channel === 'email';
  const submit = () => void send({ kind, channel, ...wording, to: to.trim() });
  return (
    <Dialog title={title} asksFirst={false} onClose={onClose}>
      <div className="grid gap-4">
        <Field label={label} required error={errors.to} {...(help !== undefined && { help })}>
          {(control) => (
            <Input
              {...control}
              type={isMail ? 'email' : 'tel'}
              maxLength={120}
              autoComplete="off"
              value={to}
              onChange={(event) => setTo(event.target.value)}
              onKeyDown={(event) => {
                if (pressedKey(event) !== 'Enter') return;
                event.preventDefault();
                submit();
              }}
            />
          )}
        </Field>
        <p className="text-12 text-ink-3">
          用示例值填好变量，经正在使用的服务商发出。{channel === 'sms' && '会产生真实费用，'}
          全站每小时最多 20 次，并写入操作记录。
        </p>
        {outcome && (
          <p role="status" className={`text-13 ${outcome.ok ? 'text-safe' : 'text-danger'}`}>
            {outcome.text}
          </p>
        )}
        <FormError>{errors.send}</FormError>
        <Button kind="primary" busy={busy} className="justify-self-start" onClick={submit}>
          试发
        </Button>
      </div>
    </Dialog>
  );
}
