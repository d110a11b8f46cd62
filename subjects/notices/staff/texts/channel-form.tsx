import { useState } from 'react';
import { type NoticeKind, saveNoticeKind } from '#subjects/notices/contract/staff-texts.ts';
import { noticeChannelNames, noticeChannels } from '../../rules/notice-text.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { FieldGroup } from '#web/ui/forms/field-group.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Checkbox, Input, withChoice } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

/** The default channels of a kind of notice, and whether it ignores quiet hours. */
export function ChannelForm({ item, canEdit, onDone }: { item: NoticeKind; canEdit: boolean; onDone: () => void }) {
  const [channels, setChannels] = useState<readonly string[]>(item.channels);
  const [urgent, setUrgent] = useState(item.urgent);
  const [reason, setReason] = useState('');
  const { form, busy, errors, submit } = useMutation(saveNoticeKind, {
    fields: ['reason', 'channels'],
    check: () => ({ reason: reason.trim().length < 2 ? '请写明修改的原因' : undefined }),
    done: () => {
      toast('默认渠道已保存', 'ok');
      onDone();
    },
  });
  const read = () => ({
    kind: item.kind,
    version: item.version,
    channels: noticeChannels.filter((one) => channels.includes(one)),
    urgent,
    reason,
  });
  return (
    <section className="panel overflow-hidden" aria-label="默认渠道">
      <h2 className="border-b border-line-soft px-4 py-3 text-13 font-semibold">默认渠道</h2>
      <form ref={form} noValidate className="grid gap-3 p-4" onSubmit={submit(read)}>
        <fieldset className="grid gap-3" disabled={!canEdit}>
          <p className="text-12 text-ink-3">
            {item.optional ? '用户没有自己选择时，按这里发送。' : '涉及资金或安全，用户不能关闭这里的渠道。'}
          </p>
          <FieldGroup error={errors.channels}>
            {() => (
              <div className="grid grid-cols-2 gap-1">
                {noticeChannels.map((one) => (
                  <Checkbox
                    key={one}
                    disabled={one === 'site'}
                    checked={one === 'site' || channels.includes(one)}
                    onChange={(event) => setChannels(withChoice(channels, one, event.target.checked))}
                  >
                    {noticeChannelNames[one]}
                  </Checkbox>
                ))}
              </div>
            )}
          </FieldGroup>
          <Checkbox checked={urgent} onChange={(event) => setUrgent(event.target.checked)}>
            紧急：免打扰时段也发送
          </Checkbox>
          {canEdit && (
            <>
              <Field label="修改原因" required error={errors.reason}>
                {(control) => (
                  <Input
                    {...control}
                    maxLength={200}
                    autoComplete="off"
                    value={reason}
                    onChange={(event) => setReason(event.target.value)}
                  />
                )}
              </Field>
              <FormError>{errors.send}</FormError>
              <Button type="submit" busy={busy} className="justify-self-start">
                保存默认渠道
              </Button>
            </>
          )}
        </fieldset>
      </form>
    </section>
  );
}
