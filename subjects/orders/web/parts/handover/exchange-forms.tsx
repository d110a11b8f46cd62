import { Eye } from 'lucide-react';
import { type ReactNode, useCallback, useState } from 'react';
import { useRevalidator } from 'react-router';
import { exchangeMove, exchangeOpen, handoverDone } from '#subjects/orders/contract/order.ts';
import { type ExchangeAction, exchangeKinds, isCode } from '../../../rules/exchange.ts';
import { isMail } from '#contract/rules/contacts/mail.ts';
import { isPhone } from '#contract/rules/contacts/phone.ts';
import { typedCode } from '#contract/rules/texts/typed.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Radio } from '#web/ui/forms/input.tsx';
import { type Evidence, EvidenceBox } from '../order/evidence-box.tsx';
import type { Exchange, HandoverStep } from './handover-step.ts';
import { type OpenedForm, SealedViewer } from './sealed-viewer.tsx';

export type Step = HandoverStep & { exchange: Exchange };
export type Move = Exchange['moves'][number];

/**
 * Sends the actions of a step's exchange; each reloads the page, also after a rejection, because the other party may
 * have acted.
 */
export function useMove(orderId: number, step: Step, done?: () => void) {
  const { busy, pending, error, errors, send } = useMutation(exchangeMove, {
    fields: (path) => (path === 'value' ? path : null),
    revalidates: 'always',
    done: () => done?.(),
  });
  const move = (action: ExchangeAction, value?: string) =>
    void send({ orderId, step: step.step, act: action, ...(value !== undefined && { value }) });
  return { busy, pending: pending?.act, error, errors, move };
}

/** A secondary button inside a row. */
export function Quiet({ busy, onClick, children }: { busy?: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className="link text-12" aria-busy={busy || undefined} disabled={busy} onClick={onClick}>
      {children}
    </button>
  );
}

/** Opens the number or the code for a minute. */
export function OpenButton({
  orderId,
  step,
  part,
  kind = 'tonal',
  children,
}: {
  orderId: number;
  step: number;
  part: 'target' | 'code';
  kind?: 'tonal' | 'primary';
  children: ReactNode;
}) {
  const { revalidate } = useRevalidator();
  const [form, setForm] = useState<OpenedForm | null>(null);
  const { busy, error, send } = useMutation(exchangeOpen, { done: setForm, failed: () => void revalidate() });
  const close = useCallback(() => {
    setForm(null);
    void revalidate();
  }, [revalidate]);
  return (
    <>
      <Button
        size={kind === 'primary' ? 'md' : 'sm'}
        kind={kind}
        busy={busy}
        onClick={() => void send({ orderId, step, part })}
      >
        <Eye className="icon" aria-hidden="true" />
        {children}
      </Button>
      <FormError>{error}</FormError>
      {form && <SealedViewer form={form} onClose={close} />}
    </>
  );
}

interface FormProps {
  orderId: number;
  step: Step;
  /** Replaces a sealed value; not in the bar of a narrow screen, which belongs to the current move. */
  isInline?: boolean;
  onSent?: () => void;
}

const actionClass = (isInline: boolean): string => (isInline ? 'flex gap-2' : 'due-action flex-nowrap!');

/** The buyer's number: the account's number with one click, or another one. */
export function TargetForm({ orderId, step, isInline = false, onSent }: FormProps) {
  const { kind, ownHint } = step.exchange;
  const { target } = exchangeKinds[kind];
  const [isOther, setOther] = useState(ownHint === null || step.exchange.isTargetRefused);
  const [value, setValue] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { busy, error, errors, move } = useMove(orderId, step, () => {
    setValue('');
    onSent?.();
  });
  const send = () => {
    const text = value.trim();
    if (!isOther) return move('target');
    if (!(kind === 'phone' ? isPhone(text) : isMail(text))) return setProblem(`请填写完整的${target}`);
    setProblem(null);
    move('target', text);
  };
  return (
    <form
      className="grid gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {ownHint !== null && (
        <div className="grid gap-1.5" role="radiogroup" aria-label={target}>
          <Radio name="target" checked={!isOther} onChange={() => setOther(false)}>
            用我在本站的手机号 <b className="font-semibold tabular-nums">{ownHint}</b>
          </Radio>
          <Radio name="target" checked={isOther} onChange={() => setOther(true)}>
            用别的号码
          </Radio>
        </div>
      )}
      {isOther && (
        <Field label={target} required error={problem ?? errors.value}>
          {(control) => (
            <Input
              {...control}
              className="max-w-64"
              value={value}
              maxLength={kind === 'phone' ? 11 : 120}
              inputMode={kind === 'phone' ? 'tel' : 'email'}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setValue(event.target.value)}
            />
          )}
        </Field>
      )}
      <FormError>{error}</FormError>
      <div className={actionClass(isInline)}>
        <Button type="submit" kind="primary" busy={busy} className="max-md:w-full">
          封存，发给卖家
        </Button>
      </div>
    </form>
  );
}

/** The code received on this party's phone. */
export function CodeForm({ orderId, step, isInline = false, onSent }: FormProps) {
  const { operator, acts: actions } = step.exchange;
  const [value, setValue] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { busy, pending, error, errors, move } = useMove(orderId, step, () => {
    setValue('');
    onSent?.();
  });
  const send = () => {
    const text = typedCode(value);
    if (!isCode(text)) return setProblem('验证码是 4 到 8 位数字或字母，请照短信或邮件原样填写');
    setProblem(null);
    move('code', text);
  };
  const isSending = busy && pending === 'code';
  return (
    <form
      className="grid gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Field label="验证码" required error={problem ?? errors.value}>
        {(control) => (
          <Input
            {...control}
            className="h-12! max-w-56 font-mono text-20 font-semibold tracking-[0.35em]"
            value={value}
            holds="code"
            maxLength={8}
            inputMode={step.exchange.kind === 'phone' ? 'numeric' : undefined}
            autoComplete="one-time-code"
            spellCheck={false}
            autoCapitalize="off"
            onChange={(event) => setValue(event.target.value)}
          />
        )}
      </Field>
      <FormError>{error}</FormError>
      <div className={actionClass(isInline)}>
        <Button type="submit" kind="primary" busy={isSending} className="max-md:flex-1">
          封存，发给{operator === 'seller' ? '卖家' : '买家'}
        </Button>
        {actions.includes('missing') && (
          <Button busy={busy && pending === 'missing'} onClick={() => move('missing')}>
            没收到
          </Button>
        )}
      </div>
    </form>
  );
}

/** The operator's last move: the proof, and the end of the step. Needs the code that the other party sealed. */
export function FinishForm({ orderId, step }: { orderId: number; step: Step }) {
  const [pictures, setPictures] = useState<readonly Evidence[]>([]);
  const { busy, errors, error, form, submit } = useMutation(handoverDone, {
    fields: (path) => (path === 'pictures' ? path : null),
    check: () => (step.needsEvidence && pictures.length === 0 ? { pictures: '请先上传换绑成功的截图' } : {}),
    revalidates: 'always',
  });
  const again = useMove(orderId, step);
  return (
    <form
      ref={form}
      className="grid gap-3"
      noValidate
      onSubmit={submit(() => ({ orderId, step: step.step, pictures: pictures.map(({ key }) => key) }))}
    >
      {step.needsEvidence && <EvidenceBox pictures={pictures} error={errors.pictures} onChange={setPictures} />}
      <FormError>{error ?? again.error}</FormError>
      <div className="due-action flex-nowrap!">
        <Button type="submit" kind="primary" busy={busy} className="max-md:flex-1">
          我已换绑成功
        </Button>
        {step.exchange.acts.includes('again') && (
          <Button busy={again.busy} onClick={() => again.move('again')}>
            码不对，已重新获取
          </Button>
        )}
      </div>
    </form>
  );
}
