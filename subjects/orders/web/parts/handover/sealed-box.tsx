import { Lock } from 'lucide-react';
import { type ReactNode, useCallback, useState } from 'react';
import { useRevalidator } from 'react-router';
import { revealSecret, sealSecret } from '#subjects/orders/contract/order.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { hasOnlyCodes, missingFields, type SealedField, SealedFields, type SealedValues } from './sealed-fields.tsx';
import { type OpenedForm, SealedViewer } from './sealed-viewer.tsx';
import { shortAt } from '#web/lib/format/times.ts';

/** Only boosting has it. */
const LogInFails = lazyWithRetry(
  () => import('#subjects/services/web/parts/service/log-in-fails.lazy.tsx'),
  <div className="h-8" />,
);

export interface Sealed {
  fields: readonly SealedField[];
  sent: boolean;
  version: number;
  sentTime: string | null;
  opened: boolean;
  canSend: boolean;
  canOpen: boolean;
  openReason: string | null;
  erased: boolean;
  logIn: 'none' | 'may' | 'told';
}

/** The box around a sealed form, with the promise of how it is protected. */
export function SealedFrame({ children }: { children: ReactNode }) {
  return (
    <div className="@container grid gap-2.5 rounded-control border border-line bg-panel p-3">
      <div>
        <p className="flex items-center gap-1.5 text-13 font-semibold">
          <Lock className="icon" aria-hidden="true" />
          密封信息
        </p>
        <p className="mt-1 text-12 text-ink-3">
          加密存放，每次打开都有记录并告知双方，保护期与保障结束后连同密钥清除。不要在聊天里发送。
        </p>
      </div>
      {children}
    </div>
  );
}

/** Seals a form on its own: a newly received code, or a new version of sealed data. */
function EncryptedForm({
  orderId,
  step,
  sealed,
  onSent,
}: {
  orderId: number;
  step: number;
  sealed: Sealed;
  onSent: () => void;
}) {
  const [values, setValues] = useState<SealedValues>({});
  const { form, busy, errors, error, submit } = useMutation(sealSecret, {
    fields: (path) => (path.startsWith('fields.') ? path.slice('fields.'.length) : null),
    check: () => missingFields(sealed.fields, values),
    revalidates: true,
    done: () => {
      setValues({});
      toast('已封存', 'ok');
      onSent();
    },
  });
  return (
    <form ref={form} className="grid gap-3" onSubmit={submit(() => ({ orderId, step, fields: values }))} noValidate>
      <SealedFields
        fields={sealed.fields}
        values={values}
        errors={errors}
        onChange={(key, value) => setValues((before) => ({ ...before, [key]: value }))}
      />
      <FormError>{error}</FormError>
      <div>
        <Button type="submit" kind="tonal" size="sm" busy={busy}>
          {hasOnlyCodes(sealed.fields) ? '封存验证码' : '封存新版本'}
        </Button>
      </div>
    </form>
  );
}

function stateOf({ sent, opened, erased, version, sentTime }: Sealed): string {
  if (erased) return '已清除';
  if (!sent) return '等待填写';
  const which = version > 1 ? `第 ${version} 版` : '';
  return `${which}${sentTime ? `${shortAt(sentTime)} ` : ''}已封存${opened ? '，已被查看' : ''}`;
}

/** The state of a form, with a button to open it for its recipient. */
function SealedState({ orderId, step, sealed }: { orderId: number; step: number; sealed: Sealed }) {
  const { revalidate } = useRevalidator();
  const [form, setForm] = useState<OpenedForm | null>(null);
  const { busy, error, send } = useMutation(revealSecret, { done: setForm });
  const close = useCallback(() => {
    setForm(null);
    void revalidate();
  }, [revalidate]);
  return (
    <>
      <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 rounded-tag border border-line bg-sunken px-2.5 py-1 text-13 text-ink-3">
        {sealed.sent && !sealed.erased && (
          <span className="tracking-[0.14em]" aria-hidden="true">
            ••••••••
          </span>
        )}
        <span className="min-w-0 flex-1 basis-44">{stateOf(sealed)}</span>
        {sealed.canOpen && (
          <Button size="sm" kind="tonal" busy={busy} onClick={() => void send({ orderId, step })}>
            打开密封信息
          </Button>
        )}
      </div>
      {sealed.logIn !== 'none' && (
        <LogInFails orderId={orderId} isTold={sealed.logIn === 'told'} mustSeal={sealed.canSend} />
      )}
      {sealed.openReason && <p className="text-12 text-ink-3">{sealed.openReason}</p>}
      <FormError>{error}</FormError>
      {form && <SealedViewer form={form} onClose={close} />}
    </>
  );
}

/** The sealed form of a step: its state, a button to open it, and for its author a button to seal another version. */
export function SealedBox({ orderId, step, sealed }: { orderId: number; step: number; sealed: Sealed }) {
  const [editing, setEditing] = useState(false);
  const onlyCodes = hasOnlyCodes(sealed.fields);
  const showForm = sealed.canSend && (editing || (onlyCodes && !sealed.sent));
  return (
    <SealedFrame>
      {(sealed.sent || !showForm) && <SealedState orderId={orderId} step={step} sealed={sealed} />}
      {showForm && <EncryptedForm orderId={orderId} step={step} sealed={sealed} onSent={() => setEditing(false)} />}
      {sealed.canSend && sealed.sent && !editing && (
        <p>
          <button type="button" className="link text-12" onClick={() => setEditing(true)}>
            {onlyCodes ? '再封存一个验证码' : '资料有误，封存新版本'}
          </button>
        </p>
      )}
    </SealedFrame>
  );
}
