import { Copy } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { copyText } from '#web/ui/copy-button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Checkbox } from '#web/ui/forms/input.tsx';

/** Shows a secret once. It closes once the owner confirms having stored it; closing it earlier prompts for that. */
export function SecretDialog({
  title,
  rows,
  onClose,
}: {
  title: string;
  rows: readonly (readonly [label: string, text: string])[];
  onClose: () => void;
}) {
  const [isKept, setKept] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const close = () => {
    if (isKept) return onClose();
    setAsked(true);
    box.current?.focus();
  };
  return (
    <Dialog
      title={title}
      closeOnBackdrop={false}
      onClose={close}
      footer={
        <Button kind="primary" onClick={close}>
          完成
        </Button>
      }
    >
      <p className="mb-3 text-13 text-attn">
        下面的密码只显示这一次，关闭后无法再查看，丢失只能更换。请存进程序的配置里，不要写进代码或发给别人。
      </p>
      <dl className="grid gap-3">
        {rows.map(([label, text]) => (
          <div key={label}>
            <dt className="mb-1 text-12 text-ink-3">{label}</dt>
            <dd className="flex items-center gap-2">
              <code className="min-w-0 flex-1 rounded-control bg-sunken px-2.5 py-2 text-13 break-all">{text}</code>
              <Button size="sm" icon aria-label={`复制${label}`} onClick={() => void copyText(text)}>
                <Copy className="icon size-3.5" aria-hidden="true" />
              </Button>
            </dd>
          </div>
        ))}
      </dl>
      <Checkbox
        ref={box}
        className="mt-4"
        checked={isKept}
        aria-invalid={(isAsked && !isKept) || undefined}
        onChange={(event) => setKept(event.target.checked)}
      >
        我已妥善保存
      </Checkbox>
      <FormError>{isAsked && !isKept && '请先保存密码，再勾选“我已妥善保存”'}</FormError>
    </Dialog>
  );
}
