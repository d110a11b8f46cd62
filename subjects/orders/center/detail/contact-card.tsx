import { type FormEvent, useState } from 'react';
import { transactionCacheContactInfo } from '#subjects/orders/contract/contact.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

const FIELDS = [
  { key: 'contactPhone', label: '手机', mode: 'tel', max: 11, holds: 'phone' },
  { key: 'qq', label: 'QQ', mode: 'numeric', max: 10, holds: 'digits' },
  { key: 'weChat', label: '微信', mode: 'text', max: 20, holds: 'accountId' },
  { key: 'roleName', label: '角色名', mode: 'text', max: 40, holds: undefined },
  { key: 'onlineTime', label: '方便的时间', mode: 'text', max: 60, holds: undefined },
  { key: 'note', label: '备注', mode: 'text', max: 200, holds: undefined },
] as const;

type Values = Partial<Record<(typeof FIELDS)[number]['key'], string>>;

/**
 * Contact details that the viewer leaves for this transaction: encrypted, readable by the assigned agent only, erased when it ends. They
 * are never displayed again; the form only sets, replaces or deletes them.
 */
export function ContactCard({ orderSn, saved }: { orderSn: string; saved: boolean }) {
  const [open, setOpen] = useState(false);
  const [values, setValues] = useState<Values>({});
  const { busy, error, send, setErrors } = useMutation(transactionCacheContactInfo, {
    revalidates: true,
    done: ({ saved: left }) => {
      toast(left ? '已保存，只有本单客服可见' : '已收回', 'ok');
      setOpen(false);
      setValues({});
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (Object.values(values).every((value) => value.trim() === '')) return setErrors({ send: '请至少填写一项' });
    void send({ orderSn, ...values });
  };

  return (
    <section className="panel" aria-labelledby="contact">
      <div className="panel-head flex-wrap">
        <h2 id="contact">交易联系方式</h2>
        <p>加密保存，只有本单客服可见，交易结束后清除</p>
        <span className="ml-auto flex gap-2">
          {saved && !open && (
            <Button size="sm" busy={busy} onClick={() => void send({ orderSn })}>
              收回
            </Button>
          )}
          {!open && (
            <Button size="sm" onClick={() => setOpen(true)}>
              {saved ? '重新填写' : '填写'}
            </Button>
          )}
        </span>
      </div>
      {open ? (
        <form className="grid gap-3 px-4 py-4" onSubmit={submit}>
          <div className="grid gap-3 md:grid-cols-3">
            {FIELDS.map(({ key, label, mode, max, holds }) => (
              <Field key={key} label={label}>
                {(control) => (
                  <Input
                    {...control}
                    inputMode={mode}
                    holds={holds}
                    maxLength={max}
                    autoComplete="off"
                    value={values[key] ?? ''}
                    onChange={(event) => setValues((before) => ({ ...before, [key]: event.target.value }))}
                  />
                )}
              </Field>
            ))}
          </div>
          <FormError>{error}</FormError>
          <div className="flex gap-2">
            <Button type="submit" kind="primary" busy={busy}>
              保存
            </Button>
            <Button onClick={() => setOpen(false)} disabled={busy}>
              取消
            </Button>
          </div>
        </form>
      ) : (
        <p className="px-4 py-3 text-13 text-ink-2">
          {saved ? '已留给本单客服。' : '需要客服联系您时可以留一个；不要把联系方式发在群聊里。'}
        </p>
      )}
    </section>
  );
}
