import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { useState } from 'react';
import { staffDisputeRule } from '#subjects/disputes/contract/staff-disputes.ts';
import { loserOf, lossPenalty, rulingOutcome } from '../../rules/ruling.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { fenOf, grouped, yuanOf } from '#web/lib/format/format.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { amountFen } from '../../web/parts/cases/amount-fen.ts';
import { Button } from '#web/ui/button.tsx';
import { FieldGroup } from '#web/ui/forms/field-group.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Checkbox, Input, Textarea } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { AdminFile } from './admin-file.ts';

interface Draft {
  refund: string;
  rules: readonly string[];
  reason: string;
  publicText: string;
  penalty: boolean;
}

/** The ruling's effect on both parties, computed by the rule that the server applies. */
function Outcome({ file, backFen }: { file: AdminFile; backFen: number }) {
  const { terms } = file;
  const { buyerFen, sellerFen } = rulingOutcome(
    {
      goodsFen: fenOf(terms.goods),
      serviceFeeFen: fenOf(terms.service),
      ensureFen: fenOf(terms.ensure),
      fixEnsureFen: fenOf(terms.fixEnsure),
      discountFen: fenOf(terms.discount),
      commissionFen: fenOf(terms.commission),
      distShareFen: fenOf(terms.distShare),
      inviteRewardFen: fenOf(terms.inviteReward),
      advanceFen: fenOf(terms.advance),
      advanceGoodsFen: fenOf(terms.advanceGoods),
      cutFen: fenOf(terms.cut),
    },
    file.orderStatus,
    backFen,
  );
  const isReleased = backFen === 0 && file.orderStatus === OrderStatus.Paid;
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-control border border-line-soft bg-line-soft text-13">
      <div className="bg-panel px-3 py-2">
        <dt className="text-12 text-ink-3">买家退回</dt>
        <dd className="font-semibold">
          <Amount yuan={yuanOf(buyerFen)} />
        </dd>
      </div>
      <div className="bg-panel px-3 py-2">
        <dt className="text-12 text-ink-3">{isReleased ? '订单' : '卖家所得'}</dt>
        <dd className="font-semibold">{isReleased ? '继续发货' : <Amount yuan={yuanOf(sellerFen)} />}</dd>
      </div>
    </dl>
  );
}

function wrongWith(draft: Draft, backFen: number | null, mostFen: number): Record<string, string> {
  return {
    ...(backFen === null
      ? { refund: '请填写金额，最多两位小数，不退填 0' }
      : backFen > mostFen
        ? { refund: `最多可退 ${grouped(yuanOf(mostFen))} 元` }
        : {}),
    ...(draft.rules.length === 0 ? { rules: '请至少引用一条规则' } : {}),
    ...(draft.reason.trim().length < 10 ? { reason: '裁决理由至少 10 个字' } : {}),
  };
}

function Rules({
  file,
  chosen,
  error,
  onChange,
}: {
  file: AdminFile;
  chosen: readonly string[];
  error: Message | undefined;
  onChange: (rules: readonly string[]) => void;
}) {
  return (
    <FieldGroup legend="引用规则" error={error}>
      {(isInvalid) => (
        <div className="grid max-h-56 gap-1.5 overflow-y-auto rounded-control border border-line-soft p-2.5">
          {file.ruleBook.map((rule) => (
            <Checkbox
              key={rule.no}
              checked={chosen.includes(rule.no)}
              aria-invalid={isInvalid}
              onChange={(event) =>
                onChange(event.target.checked ? [...chosen, rule.no] : chosen.filter((no) => no !== rule.no))
              }
            >
              <span title={rule.body}>
                {rule.no} {rule.title}
              </span>
            </Checkbox>
          ))}
        </div>
      )}
    </FieldGroup>
  );
}

/** The losing party's deposit, if any: whether it pays, the amount by the rule, and what is available. */
function Penalty({
  file,
  backFen,
  on,
  onChange,
}: {
  file: AdminFile;
  backFen: number;
  on: boolean;
  onChange: (on: boolean) => void;
}) {
  const loser = loserOf(backFen);
  const deposit = file.deposits[loser];
  if (!deposit) return null;
  const fen = lossPenalty(fenOf(file.terms.goods), backFen, file.penaltyTerms);
  const paid = fenOf(deposit.paid);
  return (
    <div className="grid gap-1 text-13">
      <Checkbox checked={on} onChange={(event) => onChange(event.target.checked)}>
        {loser === 'seller' ? '卖家' : '买家'}有过错，按规则 8.3 扣{deposit.roleName}保证金 {grouped(yuanOf(fen))} 元
      </Checkbox>
      <p className="pl-6 text-12 text-ink-3">
        {paid === 0
          ? '对方没有缴纳保证金，只记入案卷'
          : `现有保证金 ${grouped(yuanOf(paid))} 元，${paid < fen ? '以此为限' : '足够扣除'}；裁决生效后执行，归入包赔基金`}
      </p>
    </div>
  );
}

/** The refundable amount, and the reason if it is less than the price. */
function refundableText({ terms, orderStatus }: AdminFile): string {
  const { goods, refundable } = terms;
  if (refundable === goods) return `商品价 ${grouped(goods)} 元，`;
  const isCut = orderStatus === OrderStatus.Completed;
  const less = isCut ? `验号已减价 ${grouped(terms.cut)} 元` : `已验收的阶段 ${grouped(terms.advanceGoods)} 元不再退`;
  return `商品价 ${grouped(goods)} 元，${less}，最多可退 ${grouped(refundable)} 元；`;
}

/** Form for the ruling: how much of the price is refunded, by which rules, and why. */
export function RulingForm({ file }: { file: AdminFile }) {
  const [draft, setDraft] = useState<Draft>({ refund: '', rules: [], reason: '', publicText: '', penalty: false });
  const mostFen = fenOf(file.terms.refundable);
  const wantFen = file.wantAmount ? Math.min(fenOf(file.wantAmount), mostFen) : null;
  const backFen = amountFen(draft.refund);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const presets: readonly (readonly [label: string, yuan: string])[] = [
    ['不退', '0'],
    ...(wantFen === null ? [] : [[`诉求 ${yuanOf(wantFen)}`, yuanOf(wantFen)] as const]),
    ['一半', yuanOf(Math.floor(mostFen / 2))],
    ['全部', yuanOf(mostFen)],
  ];

  const { form, busy, errors, submit } = useMutation(staffDisputeRule, {
    fields: ['refund', 'rules', 'reason', 'publicText'],
    check: () => wrongWith(draft, backFen, mostFen),
    revalidates: true,
    done: ({ waits: isPending }) => toast(isPending ? '金额较大，裁决已保存，等待另一位同事复核' : '裁决已作出', 'ok'),
  });
  const body = () => ({
    disputeSn: file.disputeSn,
    refund: draft.refund.trim(),
    rules: [...draft.rules],
    reason: draft.reason.trim(),
    ...(draft.publicText.trim() && { publicText: draft.publicText.trim() }),
    ...(draft.penalty && backFen !== null && file.deposits[loserOf(backFen)] && { penalty: true as const }),
  });

  return (
    <section className="panel" aria-labelledby="ruling">
      <div className="panel-head">
        <h2 id="ruling">{file.status === 'appealed' ? '上诉裁决（最终）' : '作出裁决'}</h2>
      </div>
      <form ref={form} className="grid gap-4 px-4 py-4" onSubmit={submit(body)}>
        <Field
          label="退回的商品价（元）"
          required
          error={errors.refund}
          help={`${refundableText(file)}费用按规则 6.1 自动计算。`}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              autoComplete="off"
              value={draft.refund}
              onChange={(event) => change({ refund: event.target.value })}
            />
          )}
        </Field>
        <div className="flex flex-wrap gap-1.5">
          {presets.map(([label, yuan]) => (
            <Button key={label} size="sm" onClick={() => change({ refund: yuan })}>
              {label}
            </Button>
          ))}
        </div>
        {backFen !== null && backFen <= mostFen && <Outcome file={file} backFen={backFen} />}
        {backFen !== null && backFen <= mostFen && (
          <Penalty file={file} backFen={backFen} on={draft.penalty} onChange={(penalty) => change({ penalty })} />
        )}
        <Rules file={file} chosen={draft.rules} error={errors.rules} onChange={(rules) => change({ rules })} />
        <Field label="裁决理由" required error={errors.reason} help="双方都能看到；写明采信了哪些证据。">
          {(control) => (
            <Textarea
              {...control}
              rows={5}
              maxLength={1000}
              value={draft.reason}
              onChange={(event) => change({ reason: event.target.value })}
            />
          )}
        </Field>
        <Field label="公开文本" help="公开裁决里显示，不写昵称、编号和联系方式；不填则自动生成。">
          {(control) => (
            <Textarea
              {...control}
              rows={3}
              maxLength={600}
              value={draft.publicText}
              onChange={(event) => change({ publicText: event.target.value })}
            />
          )}
        </Field>
        <FormError>{errors.send}</FormError>
        <Button type="submit" kind="primary" busy={busy}>
          作出裁决
        </Button>
      </form>
    </section>
  );
}
