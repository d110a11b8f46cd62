import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { type disputeEntry, openDispute } from '#subjects/disputes/contract/dispute.ts';
import type { Data, Input as CallInput } from '#contract/endpoint.ts';
import type { FormErrors, Message } from '#web/lib/forms/form-errors.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { amountError } from '#contract/rules/amounts.ts';
import { amountFen } from '../../web/parts/cases/amount-fen.ts';
import { FormFields, missingOf } from '../../web/parts/cases/form-fields.tsx';
import { type Evidence, EvidenceBox } from '#subjects/orders/web/parts/order/evidence-box.tsx';
import { disputePath, orderPath } from '#subjects/orders/web/parts/order/order-links.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { grouped } from '#web/lib/format/format.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { FieldGroup } from '#web/ui/forms/field-group.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Radio, Textarea } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

type Eligibility = Data<typeof disputeEntry>;
type Body = CallInput<typeof openDispute>;

interface Draft {
  reason: string;
  want: string;
  wantAmount: string;
  answers: Record<string, string>;
  text: string;
}

/** Validation errors of a draft, by field, before it is sent. */
function draftErrors(eligibility: Eligibility, draft: Draft): Record<string, string> {
  const reason = eligibility.reasons.find(({ code }) => code === draft.reason);
  const want = eligibility.wants.find(({ key }) => key === draft.want);
  const fen = want?.takesAmount ? amountFen(draft.wantAmount) : null;
  const goods = amountFen(eligibility.goodsPrice) ?? 0;
  return {
    ...(reason ? missingOf(reason.form, draft.answers) : { reason: '请选择原因' }),
    ...(want ? {} : { want: '请选择诉求' }),
    ...(want?.takesAmount && (fen === null || fen <= 0 || fen >= goods)
      ? {
          wantAmount:
            fen === null
              ? (amountError(draft.wantAmount.trim(), '退款金额') ?? '')
              : `须大于 0、小于商品价 ${grouped(eligibility.goodsPrice)} 元`,
        }
      : {}),
    ...(draft.text.trim().length < 5 ? { text: '说明至少 5 个字' } : {}),
  };
}

function Head({ eligibility }: { eligibility: Eligibility }) {
  return (
    <div className="border-b border-line-soft px-4 py-3.5">
      <h1 className="text-16 font-semibold">发起申诉</h1>
      <p className="mt-1 line-clamp-1 text-13 text-ink-2">
        <Link to={orderPath(eligibility.orderSn)} className="hover:text-link">
          {eligibility.bigTitle}
        </Link>
      </p>
      <p className="mt-1 flex flex-wrap gap-x-4 text-12 text-ink-3">
        <span>订单 {eligibility.orderSn}</span>
        <span>{eligibility.statusName}</span>
        <span>
          商品价 <Amount yuan={eligibility.goodsPrice} />
        </span>
        {eligibility.protectedUntil && <span>保护期到 {fullAt(eligibility.protectedUntil)}</span>}
      </p>
    </div>
  );
}

function Choices({
  label,
  name,
  error,
  items,
  value,
  onChange,
}: {
  label: string;
  name: string;
  error: Message | undefined;
  items: readonly { key: string; title: string; explain: string }[];
  value: string;
  onChange: (key: string) => void;
}) {
  return (
    <FieldGroup legend={label} error={error}>
      {(isInvalid) => (
        <div className="grid gap-2 md:grid-cols-2">
          {items.map(({ key, title, explain }) => (
            <Radio
              key={key}
              name={name}
              checked={value === key}
              aria-invalid={isInvalid}
              onChange={() => onChange(key)}
            >
              {title}
              {explain && <span className="block text-12 text-ink-3">{explain}</span>}
            </Radio>
          ))}
        </div>
      )}
    </FieldGroup>
  );
}

/** The reason with its questions, the requested remedy with its amount, the statement. */
function Fields({
  eligibility,
  draft,
  errors,
  change,
}: {
  eligibility: Eligibility;
  draft: Draft;
  errors: FormErrors;
  change: (part: Partial<Draft>) => void;
}) {
  const reason = eligibility.reasons.find(({ code }) => code === draft.reason);
  const takesAmount = eligibility.wants.find(({ key }) => key === draft.want)?.takesAmount === true;
  return (
    <>
      <Choices
        label="申诉原因"
        name="reason"
        error={errors.reason}
        items={eligibility.reasons.map(({ code, name }) => ({ key: code, title: name, explain: '' }))}
        value={draft.reason}
        onChange={(code) => change({ reason: code, answers: {} })}
      />
      {reason && reason.form.length > 0 && (
        <FormFields
          fields={reason.form}
          answers={draft.answers}
          errors={errors}
          onChange={(key, value) => change({ answers: { ...draft.answers, [key]: value } })}
        />
      )}
      <Choices
        label="希望怎么处理"
        name="want"
        error={errors.want}
        items={eligibility.wants.map(({ key, name, explain }) => ({ key, title: name, explain }))}
        value={draft.want}
        onChange={(want) => change({ want })}
      />
      {takesAmount && (
        <Field
          label="希望退回的金额（元）"
          required
          error={errors.wantAmount}
          help={`按商品价 ${grouped(eligibility.goodsPrice)} 元算，服务费按同样比例退。`}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              autoComplete="off"
              value={draft.wantAmount}
              onChange={(event) => change({ wantAmount: event.target.value })}
            />
          )}
        </Field>
      )}
      <Field
        label="经过说明"
        required
        error={errors.text}
        help="写清时间、经过和对方的说法。聊天、换绑步骤、密封信息查看记录和资金流水由平台自动采集，不必截图。"
      >
        {(control) => (
          <Textarea
            {...control}
            rows={5}
            maxLength={1000}
            value={draft.text}
            onChange={(event) => change({ text: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

/** Form to open a dispute: the reason with its questions, the requested remedy, statement and pictures. */
export function OpenForm({ eligibility }: { eligibility: Eligibility }) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState<Draft>({ reason: '', want: '', wantAmount: '', answers: {}, text: '' });
  const [pictures, setPictures] = useState<readonly Evidence[]>([]);
  const { form, busy, errors, submit } = useMutation(openDispute, {
    fields: ['reason', 'want', 'wantAmount', 'text'],
    intent: `dispute:${eligibility.orderSn}`,
    draft: `dispute:${eligibility.orderSn}`,
    check: () => draftErrors(eligibility, draft),
    done: ({ disputeSn }) => {
      toast('申诉已提交，订单计时与放款已停止', 'ok');
      void navigate(disputePath(disputeSn), { replace: true });
      return true;
    },
  });
  const reason = eligibility.reasons.find(({ code }) => code === draft.reason);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));

  const body = (): Body => ({
    orderSn: eligibility.orderSn,
    reason: draft.reason,
    want: draft.want as Body['want'],
    ...(draft.want === 'part_refund' && { wantAmount: draft.wantAmount.trim() }),
    answers: draft.answers,
    text: draft.text.trim(),
    pictures: pictures.map(({ key }) => key),
  });

  if (eligibility.closed)
    return (
      <section className="panel">
        <Head eligibility={eligibility} />
        <EmptyState
          title={eligibility.closed}
          action={<ButtonLink to={orderPath(eligibility.orderSn)}>回到订单</ButtonLink>}
        >
          账号买了包赔的，在
          <Link to="/center/buyGuarantee" className="link">
            我的包赔
          </Link>
          里申请赔付。
        </EmptyState>
      </section>
    );
  return (
    <section className="panel">
      <Head eligibility={eligibility} />
      <form ref={form} className="grid max-w-180 gap-5 px-4 py-4" onSubmit={submit(body)}>
        <p className="rounded-control bg-sunken px-3 py-2.5 text-13 text-ink-2">
          提交后订单的计时和放款立即停止；客服 15 分钟内受理，对方 {eligibility.answerHours} 小时内答复，48
          小时内裁决，裁决可上诉一次。
        </p>
        <Fields eligibility={eligibility} draft={draft} errors={errors} change={change} />
        <EvidenceBox
          pictures={pictures}
          onChange={setPictures}
          help={`${reason?.evidence ? `建议上传：${reason.evidence}。` : ''}PNG 或 JPEG，每张不超过 10M；只有双方与客服可见。`}
        />
        <FormError>{errors.send}</FormError>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" kind="primary" size="lg" busy={busy} className="max-md:w-full">
            提交申诉
          </Button>
        </div>
      </form>
    </section>
  );
}
