import { UserRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { handoverDone } from '#subjects/orders/contract/order.ts';
import type { OrderParty } from '../../../rules/order-party.ts';
import { stepHeadline, turnLabel } from '../../../rules/order-text.ts';
import { receiptName, RECYCLED_ACCOUNT } from '../../../rules/order-types.ts';
import { type Protection, protectionText } from '../../../rules/protection.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { shortAt } from '#web/lib/format/times.ts';
import { cx } from '#web/ui/class-names.ts';
import { FormError } from '#web/ui/forms/field.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { type Evidence, EvidenceBox } from '../order/evidence-box.tsx';
import type { HandoverStep } from './handover-step.ts';
import { ClockNote, HandoverClock, StepLeft } from './handover-clock.tsx';
import { SealedBox, SealedFrame } from './sealed-box.tsx';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { hasOnlyCodes, missingFields, SealedFields, type SealedValues } from './sealed-fields.tsx';

/** Only steps that bind a phone or a mailbox have it. */
const ExchangeWork = lazyWithRetry(() => import('./exchange-work.lazy.tsx'), <div className="h-64" />);

/** The label of the button, which names its effect. */
function doneLabel(step: HandoverStep, seals: boolean): string {
  if (seals) return '封存并提交';
  if (step.key === 'accept') return '我已验收';
  return '我已完成';
}

/** The missing inputs of the due step, by field; `pictures` for its evidence. */
function lacks(
  step: HandoverStep,
  { seals, values, pictures }: { seals: boolean; values: SealedValues; pictures: number },
) {
  const fields = seals && step.sealed ? missingFields(step.sealed.fields, values) : {};
  return { ...fields, ...(step.needsEvidence && pictures === 0 && { pictures: '请先上传这一步的截图' }) };
}

/** The names of the missing fields, for the line next to the button. */
function namesOf(step: HandoverStep, missing: Readonly<Record<string, string>>): string {
  const labels = (step.sealed?.fields ?? []).flatMap(({ key, label }) => (key in missing ? [label] : []));
  return [...labels, ...('pictures' in missing ? ['截图'] : [])].join('、');
}

/** The form of the due step: the sealed fields, the evidence, and one button to finish. */
function Turn({ orderId, step }: { orderId: number; step: HandoverStep }) {
  const [pictures, setPictures] = useState<readonly Evidence[]>([]);
  const [values, setValues] = useState<SealedValues>({});
  const { sealed } = step;
  // One-time codes arrive during the step and are sealed one by one; everything else is sealed when the step is
  // finished.
  const seals = sealed !== null && sealed.canSend && !sealed.sent && !hasOnlyCodes(sealed.fields);
  const missing = lacks(step, { seals, values, pictures: pictures.length });
  const { busy, errors, error, form, submit } = useMutation(handoverDone, {
    fields: (path) => (path.startsWith('fields.') ? path.slice('fields.'.length) : path === 'pictures' ? path : null),
    check: () => missing,
    revalidates: true,
    done: () => {
      setValues({});
      toast(`${step.title}已完成`, 'ok');
    },
  });
  const body = () => ({
    orderId,
    step: step.step,
    pictures: pictures.map(({ key }) => key),
    ...(seals && { fields: values }),
  });
  const label = doneLabel(step, seals);
  const names = namesOf(step, missing);
  return (
    <>
      {sealed && !seals && (
        <div className="px-4 pt-3.5">
          <SealedBox orderId={orderId} step={step.step} sealed={sealed} />
        </div>
      )}
      <form ref={form} onSubmit={submit(body)} noValidate className="due-work grid gap-3">
        {seals && (
          <SealedFrame>
            <SealedFields
              fields={sealed.fields}
              values={values}
              errors={errors}
              onChange={(key, value) => setValues((before) => ({ ...before, [key]: value }))}
            />
          </SealedFrame>
        )}
        {step.needsEvidence && <EvidenceBox pictures={pictures} error={errors.pictures} onChange={setPictures} />}
        <FormError>{error}</FormError>
        <div className="due-action">
          <Button type="submit" kind="primary" busy={busy} className="max-md:w-full">
            <span className="grid">
              {label}
              <span className="text-11 leading-3.5 font-normal opacity-90 md:hidden" aria-hidden="true">
                {step.dueTime !== null && <StepLeft due={step.dueTime} before="剩 " after={names && '，'} />}
                {names !== '' && `还差：${names}`}
              </span>
            </span>
          </Button>
          {names !== '' && <p className="text-12 text-ink-3 max-md:hidden">还差：{names}</p>}
        </div>
      </form>
    </>
  );
}

/**
 * The due step as a headline, with the current actor and the clock: amber when it is the viewer's turn, white
 * otherwise.
 */
export function DueHead({
  title,
  turn,
  mine,
  as: Heading,
  clock,
  children,
}: {
  title: string;
  /** The current actor; absent when no party has to act. */
  turn?: string | undefined;
  mine: boolean;
  as: 'h1' | 'h3';
  clock?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div
      className={cx('flex items-start gap-4 px-4 py-3.5', mine ? 'border-b border-attn-line bg-attn-bg' : 'bg-panel')}
    >
      <div className="grid min-w-0 flex-1 gap-1">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Heading className="text-20 font-semibold" aria-live={Heading === 'h1' ? 'polite' : undefined}>
            {title}
          </Heading>
          {turn && (
            <span
              className={cx(
                'inline-flex items-center gap-1 rounded-full border px-2 py-0.5 text-12 font-medium',
                mine ? 'border-attn-line bg-panel text-attn' : 'border-brand-200 bg-brand-25 text-brand-700',
              )}
            >
              <UserRound className="icon size-3.5" aria-hidden="true" />
              {turn}
            </span>
          )}
        </div>
        {children}
      </div>
      {clock}
    </div>
  );
}

/** The instruction of another person's step, which must not read as addressed to the viewer. */
function othersStep({ actorName, explain }: Pick<HandoverStep, 'actorName' | 'explain'>): string {
  const text = explain.replace(/。$/, '');
  return ['卖家', '买家', '客服', '您'].some((party) => text.startsWith(party)) ? text : `${actorName}：${text}`;
}

/** Describes the effect of a step's deadline; undefined where customer service contacts both parties. */
export function timeOverText(
  { key, mine, isReceipt, dueTime }: Pick<HandoverStep, 'key' | 'mine' | 'isReceipt' | 'dueTime'>,
  typeId: number,
): string | undefined {
  if (dueTime === null) return undefined;
  if (typeId === RECYCLED_ACCOUNT && key === 'seal')
    return `到时没有提交，订单自动关闭，货款全额${mine ? '退回回收商；账号仍归您' : '退给您；账号仍归卖家'}。`;
  if (isReceipt) return `${shortAt(dueTime)} 前没有确认也没有申诉，自动${receiptName(typeId)}。`;
  return undefined;
}

/**
 * Shows the requirements of a step and the effect of its deadline; not `isLast`, when the step ends with the time to ship: what then follows
 * is not a word of customer service, and the order's own deadline names it.
 */
export function StepNote({
  step,
  typeId,
  staffName,
  isLast = false,
}: {
  step: Pick<HandoverStep, 'key' | 'mine' | 'isReceipt' | 'dueTime' | 'actorName' | 'explain' | 'minutes'>;
  typeId: number;
  staffName: string | null;
  isLast?: boolean;
}) {
  return (
    <>
      <p className="text-13 text-ink-2">{step.mine ? step.explain : `${othersStep(step)}。您暂时无需操作。`}</p>
      {step.minutes > 0 && !isLast && (
        <p className="text-12 text-ink-3">
          {timeOverText(step, typeId) ?? <ClockNote due={step.dueTime} staffName={staffName} />}
        </p>
      )}
    </>
  );
}

/** The form of the due step, or its sealed form; the note of the receipt leads to a complaint at `complaintTo`. */
export function StepWork({
  orderId,
  typeId,
  step,
  protection,
  complaintTo,
}: {
  orderId: number;
  typeId: number;
  step: HandoverStep;
  protection: Protection | null;
  complaintTo?: string;
}) {
  const { sealed, exchange } = step;
  if (exchange) return <ExchangeWork orderId={orderId} step={{ ...step, exchange }} />;
  if (step.mine && step.isReceipt)
    return (
      <p className="px-4 py-3.5 text-13 text-ink-2">
        核对无误后按「{receiptName(typeId)}」。{protectionText(protection)}；有问题请先
        {complaintTo === undefined ? (
          '申诉'
        ) : (
          <Link to={complaintTo} className="link">
            申诉
          </Link>
        )}
        ，不要确认。
      </p>
    );
  if (step.mine) return <Turn orderId={orderId} step={step} />;
  if (!sealed || !(sealed.canOpen || sealed.canSend || sealed.sent)) return null;
  return (
    <div className="px-4 pb-3.5">
      <SealedBox orderId={orderId} step={step.step} sealed={sealed} />
    </div>
  );
}

/** The due action of a hand-over, at the top of its card. */
export function DueAction({
  orderId,
  typeId,
  step,
  viewer,
  staffName,
  protection,
}: {
  orderId: number;
  typeId: number;
  step: HandoverStep;
  viewer: OrderParty;
  staffName: string | null;
  protection: Protection | null;
}) {
  const { title, turn } = stepHeadline(step, typeId, viewer);
  return (
    <div className={cx('border-b', step.mine ? 'border-attn-line' : 'border-line')} role="group" aria-label="这一步">
      <DueHead
        title={title}
        turn={turn ? turnLabel(turn, viewer, typeId) : undefined}
        mine={step.mine}
        as="h3"
        clock={step.dueTime && <HandoverClock due={step.dueTime} minutes={step.minutes} />}
      >
        <StepNote step={step} typeId={typeId} staffName={staffName} />
      </DueHead>
      <StepWork orderId={orderId} typeId={typeId} step={step} protection={protection} />
    </div>
  );
}
