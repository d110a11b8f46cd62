import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Data, Input as CallInput } from '#contract/endpoint.ts';
import { type coverDetail, openClaim } from '#subjects/guarantees/contract/guarantee.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { amountError } from '#contract/rules/amounts.ts';
import { grouped } from '#web/lib/format/format.ts';
import { amountFen } from '#subjects/disputes/web/parts/cases/amount-fen.ts';
import { type Evidence, EvidenceBox } from '#subjects/orders/web/parts/order/evidence-box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Select, Textarea } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

type Cover = Data<typeof coverDetail>;
type Body = CallInput<typeof openClaim>;

interface Draft {
  reason: string;
  amount: string;
  explain: string;
}

function wrongWith(cover: Cover, draft: Draft, pictures: number): Record<string, string> {
  const fen = amountFen(draft.amount);
  const reason = cover.reasons.find(({ code }) => code === draft.reason);
  const most = amountFen(reason?.most ?? cover.payoutMax) ?? 0;
  return {
    ...(draft.reason ? {} : { reason: '请选择出险原因' }),
    ...(fen === null || fen <= 0
      ? { amount: amountError(draft.amount.trim(), '理赔金额') ?? '理赔金额应为正数' }
      : fen > most
        ? {
            amount: `${reason ? `「${reason.name}」` : '这份保障'}最多赔付 ${grouped(reason?.most ?? cover.payoutMax)} 元`,
          }
        : {}),
    ...(draft.explain.trim().length < 10 ? { explain: '经过说明至少 10 个字' } : {}),
    ...(pictures === 0 ? { pictures: '请上传至少一张证明截图' } : {}),
  };
}

/** Claim form: what happened, the amount, evidence. Submitting starts the public deadline. */
export function ClaimForm({ cover }: { cover: Cover }) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState<Draft>({ reason: '', amount: cover.price, explain: '' });
  const [pictures, setPictures] = useState<readonly Evidence[]>([]);
  const { form, busy, errors, submit } = useMutation(openClaim, {
    fields: ['reason', 'amount', 'explain', 'pictures'],
    intent: `claim:${cover.coverId}`,
    draft: `claim:${cover.coverId}`,
    check: () => wrongWith(cover, draft, pictures.length),
    done: ({ claimSn }) => {
      toast('理赔已提交，公开时钟开始计时', 'ok');
      void navigate(`/center/buyGuarantee?claimSn=${claimSn}`, { replace: true });
      return true;
    },
  });
  const reason = cover.reasons.find(({ code }) => code === draft.reason);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));

  const body = (): Body => ({
    coverId: cover.coverId,
    reason: draft.reason as Body['reason'],
    amount: draft.amount.trim(),
    explain: draft.explain.trim(),
    pictures: pictures.map(({ key }) => key),
  });

  return (
    <section className="panel" aria-labelledby="claim">
      <div className="panel-head">
        <h2 id="claim">申请理赔</h2>
        <p>受理后追索 {cover.terms.chaseDays} 天；理赔期间该账号不能出售</p>
      </div>
      <form ref={form} className="grid max-w-160 gap-4 px-4 py-4" onSubmit={submit(body)}>
        <Field label="出险原因" required error={errors.reason}>
          {(control) => (
            <Select {...control} value={draft.reason} onChange={(event) => change({ reason: event.target.value })}>
              <option value="">请选择</option>
              {cover.reasons.map(({ code, name }) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field
          label="理赔金额（元）"
          required
          error={errors.amount}
          help={
            reason
              ? `${reason.name}：${reason.text}，现在最多 ${grouped(reason.most)} 元。`
              : `商品价 ${grouped(cover.price)} 元；选择原因后显示该原因最多赔多少。`
          }
        >
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              autoComplete="off"
              value={draft.amount}
              onChange={(event) => change({ amount: event.target.value })}
            />
          )}
        </Field>
        <Field label="经过说明" required error={errors.explain} help="什么时候发现、当时看到什么、是否联系过卖家。">
          {(control) => (
            <Textarea
              {...control}
              rows={4}
              maxLength={1000}
              value={draft.explain}
              onChange={(event) => change({ explain: event.target.value })}
            />
          )}
        </Field>
        <EvidenceBox
          pictures={pictures}
          error={errors.pictures}
          onChange={setPictures}
          help={`${reason ? `需要：${reason.evidence}。` : ''}PNG 或 JPEG，每张不超过 10M；只有您与客服可见。`}
        />
        {reason && (
          <p className="rounded-control bg-sunken px-3 py-2.5 text-13 text-ink-2" role="note">
            {reason.byItself
              ? '期满未追回的自动赔付；金额较大、账号已转手或需要核实交易双方情况的，由两名工作人员在 48 小时内裁定（规则 5.5）。'
              : '这一原因由两名工作人员核定，不自动赔付（规则 5.5）。'}
          </p>
        )}
        <FormError>{errors.send}</FormError>
        <div>
          <Button type="submit" kind="primary" size="lg" busy={busy} className="max-md:w-full">
            提交理赔
          </Button>
        </div>
      </form>
    </section>
  );
}
