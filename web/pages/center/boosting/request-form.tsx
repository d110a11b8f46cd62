import { type FormEvent, useEffect, useState } from 'react';
import { boostPost, boostQuote, type myBoostRequests } from '#contract/boosting.ts';
import type { Data, Input as CallInput } from '#contract/endpoint.ts';
import { amountError, isPrice } from '#contract/rules/amounts.ts';
import { call } from '#web/lib/api.ts';
import { textsOf } from '#web/lib/form-values.ts';
import { fenOf, yuanOf, grouped } from '#web/lib/format.ts';
import { withStepUp } from '#web/lib/step-up.ts';
import { useMutation } from '#web/lib/use-mutation.ts';
import type { FormErrors } from '#web/lib/form-errors.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/field.tsx';
import { Input, Select, Textarea } from '#web/ui/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { type Game, Scope, type ScopeKind } from './request-scope.tsx';

type Former = Data<typeof myBoostRequests>['list'][number];
type Quote = Data<typeof boostQuote>;
type Texts = ReturnType<typeof textsOf>;

const MODES = [
  ['account', '打手登录您的账号，资料密封提交'],
  ['together', '您自己打，打手组队带'],
  ['online', '打手线上指导'],
] as const;

const PARTS = [1, 2, 3, 4, 5] as const;

/** Even stages from the first to the goal; the last takes what does not divide. */
function stagesOf(text: Texts, kind: ScopeKind): { title: string; sharePercent: number }[] {
  const count = Number(text('parts') || '1');
  const goal = kind === 'rank' ? text('toRank') : `打完 ${text('num')} ${kind === 'hours' ? '小时' : '局'}`;
  const share = Math.floor(10_000 / count) / 100;
  return Array.from({ length: count }, (_, i) => ({
    title: i === count - 1 ? goal || '全部完成' : `完成 ${Math.round(((i + 1) / count) * 100)}%`,
    sharePercent: i === count - 1 ? Math.round((100 - share * (count - 1)) * 100) / 100 : share,
  }));
}

function problemsOf(text: Texts, kind: ScopeKind): Record<string, string> {
  const { price, safetyDeposit, efficiencyDeposit } = {
    price: text('price'),
    safetyDeposit: text('safetyDeposit'),
    efficiencyDeposit: text('efficiencyDeposit'),
  };
  const isCount = (typed: string): boolean => /^\d{1,4}$/.test(typed) && Number(typed) >= 1;
  return {
    ...(kind === 'rank' && text('fromRank') === '' && { fromRank: '请填写现在的段位' }),
    ...(kind === 'rank' && text('toRank') === '' && { toRank: '请填写目标段位' }),
    ...(kind !== 'rank' && !isCount(text('num')) && { num: '应为 1 至 9999 的整数' }),
    ...(text('area') === '' && { area: '请填写区服' }),
    ...(!isCount(text('hours')) && { hours: '应为 1 至 720 小时' }),
    ...(!isPrice(price) && { price: amountError(price, '出价') ?? '请填写出价' }),
    ...(isPrice(price) && fenOf(price) < 100 && { price: '出价不能低于 1 元' }),
    ...(safetyDeposit !== '' && amountError(safetyDeposit) !== null && { safetyDeposit: '应为数字，最多两位小数' }),
    ...(efficiencyDeposit !== '' &&
      amountError(efficiencyDeposit) !== null && { efficiencyDeposit: '应为数字，最多两位小数' }),
  };
}

const bodyOf = (text: Texts, kind: ScopeKind, shownTotal: string | undefined): CallInput<typeof boostPost> => ({
  gameId: text('gameId'),
  ...(text('kind') !== '' && { kind: text('kind') }),
  scopeKind: kind,
  ...(text('fromRank') !== '' && { fromRank: text('fromRank') }),
  ...(text('toRank') !== '' && { toRank: text('toRank') }),
  ...(kind !== 'rank' && { num: text('num') }),
  area: text('area'),
  note: text('note'),
  mode: text('mode') as 'account',
  hours: text('hours'),
  milestones: stagesOf(text, kind),
  price: text('price'),
  safetyDeposit: text('safetyDeposit') || '0',
  efficiencyDeposit: text('efficiencyDeposit') || '0',
  openHours: text('openHours'),
  ...(shownTotal !== undefined && { shownTotal }),
});

/** What is asked of the typed price, once typing has stopped. */
function useQuote(price: string): Quote | null {
  const [quote, setQuote] = useState<{ price: string; quote: Quote } | null>(null);
  useEffect(() => {
    if (!isPrice(price) || fenOf(price) < 100) return undefined;
    const later = setTimeout(() => {
      call(boostQuote, { price }, { quiet: true }).then(
        (found) => setQuote({ price, quote: found }),
        () => setQuote(null),
      );
    }, 300);
    return () => clearTimeout(later);
  }, [price]);
  return quote?.price === price ? quote.quote : null;
}

function Total({ quote }: { quote: Quote | null }) {
  if (!quote) return <p className="text-13 text-ink-3">填写出价后显示应付金额。</p>;
  const missing = fenOf(quote.total) - fenOf(quote.balance);
  return (
    <div className="grid gap-1">
      <p className="text-14">
        应付 <Amount yuan={quote.total} className="text-20 font-semibold" />
        <span className="ml-2 text-12 text-ink-3">含服务费 {grouped(quote.fee)} 元</span>
      </p>
      <p className="text-12 text-ink-3">发单时从余额托管，没人接全额退回。现在有 {quote.boosters} 位打手在接单。</p>
      {missing > 0 && (
        <p className="flex flex-wrap items-center gap-2 text-13 text-attn">
          可用余额 {grouped(quote.balance)} 元，还差 {grouped(yuanOf(missing))} 元
          <ButtonLink size="sm" to="/center/myself/recharge">
            去充值
          </ButtonLink>
        </p>
      )}
    </div>
  );
}

function Money({
  former,
  errors,
  quote,
  onPrice,
}: {
  former: Former | null;
  errors: FormErrors;
  quote: Quote | null;
  onPrice: (price: string) => void;
}) {
  return (
    <div className="grid gap-4 md:grid-cols-3">
      <Field label="出价（元）" required error={errors.price} help={quote ? `打手完成后按段到账` : undefined}>
        {(control) => (
          <Input
            {...control}
            name="price"
            inputMode="decimal"
            maxLength={9}
            defaultValue={former?.price}
            onChange={(event) => onPrice(event.target.value.trim())}
          />
        )}
      </Field>
      <Field label="安全保证金（元）" error={errors.safetyDeposit} help="打手接单时冻结；账号被处罚时由客服裁定赔您。">
        {(control) => (
          <Input
            {...control}
            name="safetyDeposit"
            inputMode="decimal"
            maxLength={9}
            defaultValue={former?.safetyDeposit}
          />
        )}
      </Field>
      <Field label="效率保证金（元）" error={errors.efficiencyDeposit} help="打手放弃或超时取消时归您。">
        {(control) => (
          <Input
            {...control}
            name="efficiencyDeposit"
            inputMode="decimal"
            maxLength={9}
            defaultValue={former?.efficiencyDeposit}
          />
        )}
      </Field>
    </div>
  );
}

function Terms({ former, errors, maxOpenHours }: { former: Former | null; errors: FormErrors; maxOpenHours: number }) {
  return (
    <>
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="区服" required error={errors.area}>
          {(control) => (
            <Input {...control} name="area" maxLength={40} defaultValue={former?.area} placeholder="如 微信一区" />
          )}
        </Field>
        <Field label="方式" required error={errors.mode}>
          {(control) => (
            <Select {...control} name="mode" defaultValue={former?.mode ?? 'account'}>
              {MODES.map(([mode, label]) => (
                <option key={mode} value={mode}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <div className="grid gap-4 md:grid-cols-3">
        <Field
          label="限时（小时）"
          required
          error={errors.hours}
          help="从接单起算，需要账号的从提交账号起算；暂停不计。"
        >
          {(control) => (
            <Input {...control} name="hours" inputMode="numeric" maxLength={3} defaultValue={former?.hours ?? 20} />
          )}
        </Field>
        <Field label="分几段付款" required error={errors.milestones} help="确认一段才付一段。">
          {(control) => (
            <Select {...control} name="parts" defaultValue={former?.milestones.length ?? 2}>
              {PARTS.map((n) => (
                <option key={n} value={n}>
                  {n === 1 ? '不分段，完成后付' : `平均分 ${n} 段`}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="等人接单" required error={errors.openHours} help="到时没人接，货款自动全额退回。">
          {(control) => (
            <Select {...control} name="openHours" defaultValue={24}>
              {[2, 6, 12, 24, 48, 72]
                .filter((n) => n <= maxOpenHours)
                .map((n) => (
                  <option key={n} value={n}>
                    {n} 小时
                  </option>
                ))}
            </Select>
          )}
        </Field>
      </div>
      <Field label="要求" error={errors.note} help="如指定英雄、不动点券；不要留联系方式和密码。">
        {(control) => <Textarea {...control} name="note" rows={2} maxLength={300} defaultValue={former?.note} />}
      </Field>
    </>
  );
}

/** The form of an open order: what is to be done, for how much, by when; the money goes to escrow when it is sent. */
export function RequestForm({
  games,
  maxOpenHours,
  former,
  onClose,
}: {
  games: readonly Game[];
  maxOpenHours: number;
  former: Former | null;
  onClose: () => void;
}) {
  const [kind, setKind] = useState<ScopeKind>(former?.scopeKind ?? 'rank');
  const [price, setPrice] = useState(former?.price ?? '');
  const quote = useQuote(price);
  const { form, errors, busy, setErrors, send } = useMutation(
    (body: CallInput<typeof boostPost>, options) => withStepUp('pay', () => call(boostPost, body, options), true),
    {
      fields: [
        'gameId',
        'kind',
        'fromRank',
        'toRank',
        'num',
        'area',
        'mode',
        'hours',
        'milestones',
        'openHours',
        'note',
        'price',
        'safetyDeposit',
        'efficiencyDeposit',
      ],
      intent: 'boostPost',
      revalidates: true,
      done: ({ total }) => {
        toast(`已发单，${grouped(total)} 元已托管`, 'ok');
        onClose();
      },
    },
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = textsOf(event.currentTarget);
    const wrong = problemsOf(text, kind);
    if (Object.keys(wrong).length > 0) setErrors(wrong);
    else void send(bodyOf(text, kind, quote?.total));
  };
  return (
    <section className="panel" aria-labelledby="post">
      <div className="panel-head">
        <h2 id="post">发代练单</h2>
        <Button size="sm" className="ml-auto" onClick={onClose}>
          收起
        </Button>
      </div>
      <form ref={form} noValidate className="grid gap-4 px-4 py-4" onSubmit={submit}>
        <Scope games={games} former={former} kind={kind} onKind={setKind} errors={errors} />
        <Terms former={former} errors={errors} maxOpenHours={maxOpenHours} />
        <Money former={former} errors={errors} quote={quote} onPrice={setPrice} />
        <FormError>{errors.send}</FormError>
        <div className="flex flex-wrap items-end justify-between gap-3 border-t border-line-soft pt-4">
          <Total quote={quote} />
          <Button type="submit" kind="primary" busy={busy} className="max-md:w-full">
            托管并发单
          </Button>
        </div>
      </form>
    </section>
  );
}
