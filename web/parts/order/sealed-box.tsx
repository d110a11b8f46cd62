import { CircleAlert, Lock } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useRevalidator } from 'react-router';
import { revealSecret, sealSecret } from '#contract/order.ts';
import { call } from '#web/lib/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Textarea } from '#web/ui/input.tsx';
import { copyText } from '#web/ui/copy-button.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { asFailure, failureWords } from './failures.ts';

export interface Sealed {
  sent: boolean;
  revealed: boolean;
  canReveal: boolean;
  canSend: boolean;
  erased: boolean;
}

function Box({ children }: { children: ReactNode }) {
  return (
    <div className="rounded-control border border-line bg-panel p-3">
      <p className="flex items-center gap-1.5 text-13 font-semibold">
        <Lock className="icon" aria-hidden="true" />
        密封信息
      </p>
      <p className="mt-1 mb-2.5 text-12 text-ink-3">
        加密存放，只给当前步骤指定的人看一次，交易完成后清除。不要在聊天里发送。
      </p>
      {children}
    </div>
  );
}

/** Takes what must not be typed in the chat. It is sealed as it is sent, and this screen forgets it. */
function SealForm({
  orderId,
  step,
  again,
  onSent,
}: {
  orderId: number;
  step: number;
  again: boolean;
  onSent: () => void;
}) {
  const { revalidate } = useRevalidator();
  const [body, setBody] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!body.trim()) return setError('密封信息不能为空');
    setBusy(true);
    setError(null);
    try {
      await call(sealSecret, { orderId, step, body }, { quiet: true });
      setBody('');
      toast('已封存', 'ok');
      onSent();
      await revalidate();
    } catch (thrown) {
      setError(failureWords(asFailure(thrown)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="grid gap-2" onSubmit={(event) => void submit(event)}>
      <Field label="账号、密码、验证码等" required error={error} help="最多 500 字，提交后只显示「已封存」。">
        {(control) => (
          <Textarea
            {...control}
            value={body}
            maxLength={500}
            rows={3}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setBody(event.target.value)}
          />
        )}
      </Field>
      <div>
        <Button type="submit" kind="tonal" size="sm" busy={busy}>
          {again ? '重新封存' : '提交并封存'}
        </Button>
      </div>
    </form>
  );
}

/** The one reading: asks first, shows the text over the reader's watermark, and forgets it on closing. */
function RevealDialog({ orderId, step, onClose }: { orderId: number; step: number; onClose: () => void }) {
  const [secret, setSecret] = useState<{ body: string; watermark: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const reveal = async () => {
    setBusy(true);
    setError(null);
    try {
      setSecret(await call(revealSecret, { orderId, step }, { quiet: true }));
    } catch (thrown) {
      setError(failureWords(asFailure(thrown)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="查看密封信息"
      onClose={onClose}
      closeOnBackdrop={false}
      footer={
        secret ? (
          <>
            <Button onClick={() => void copyText(secret.body)}>复制</Button>
            <Button kind="primary" onClick={onClose}>
              已记下，关闭
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>以后再看</Button>
            <Button kind="primary" busy={busy} onClick={() => void reveal()}>
              现在查看
            </Button>
          </>
        )
      }
    >
      {secret ? (
        <div className="relative overflow-hidden rounded-control border border-line bg-sunken p-4">
          <p className="relative z-1 font-mono text-16 break-all whitespace-pre-wrap select-text">{secret.body}</p>
          <p
            className="pointer-events-none absolute inset-0 flex rotate-[-14deg] flex-wrap content-center justify-center gap-x-8 gap-y-3 text-12 text-ink-4 opacity-60 select-none"
            aria-hidden="true"
          >
            {Array.from({ length: 12 }, (_, index) => (
              <span key={index}>{secret.watermark}</span>
            ))}
          </p>
        </div>
      ) : (
        <p className="text-14 text-ink-2">
          只能查看一次，查看会记录时间与查看人。请在方便登录游戏时打开，关闭后不能再看。
        </p>
      )}
      {error && (
        <p className="field-error mt-3" role="alert">
          <CircleAlert className="icon mt-px size-3.5" aria-hidden="true" />
          {error}
        </p>
      )}
    </Dialog>
  );
}

/** The sealed form of a hand-over step: empty, sealed, to be read once, read, or erased. */
export function SealedBox({ orderId, step, sealed }: { orderId: number; step: number; sealed: Sealed }) {
  const { revalidate } = useRevalidator();
  const [open, setOpen] = useState(false);
  const [editing, setEditing] = useState(false);
  const { sent, revealed, canReveal, canSend, erased } = sealed;
  const state = erased ? '已清除' : revealed ? '已被查看' : sent ? '已封存' : '等待对方填写';
  return (
    <Box>
      {canSend && (!sent || editing) ? (
        <SealForm orderId={orderId} step={step} again={sent} onSent={() => setEditing(false)} />
      ) : (
        <div className="flex h-9 items-center justify-between gap-3 rounded-tag border border-line bg-sunken px-2.5 text-13 text-ink-3">
          <span className="tracking-[0.14em]" aria-hidden="true">
            {sent && !erased ? '••••••••' : ''}
          </span>
          <span className="ml-auto">{state}</span>
          {canSend && sent && (
            <button type="button" className="link text-12" onClick={() => setEditing(true)}>
              修改
            </button>
          )}
          {canReveal && (
            <Button size="sm" kind="tonal" onClick={() => setOpen(true)}>
              查看一次
            </Button>
          )}
        </div>
      )}
      {open && (
        <RevealDialog
          orderId={orderId}
          step={step}
          onClose={() => {
            setOpen(false);
            void revalidate();
          }}
        />
      )}
    </Box>
  );
}
