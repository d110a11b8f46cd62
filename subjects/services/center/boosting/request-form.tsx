import { type FormEvent, useState } from 'react';
import { boostPost, scopeKinds } from '#subjects/services/contract/boosting.ts';
import type { Input as CallInput } from '#contract/endpoint.ts';
import { amountError, isPrice } from '#contract/rules/amounts.ts';
import { call } from '#web/lib/api/api.ts';
import { textsOf } from '#web/lib/forms/form-values.ts';
import { fenOf, yuanOf, grouped } from '#web/lib/format/format.ts';
import { withStepUp } from '#web/lib/session/step-up.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import { TopUp, type PayMethods } from '#subjects/payments/web/parts/pay/top-up.tsx';
import { type Guide, GuideText } from '../../web/parts/service/guide-text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Select, Textarea } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { type Filled, rankText, saveDraft, starsText } from './request-draft.ts';
import { type Quote, useGuide, useQuote } from './request-quote.ts';
import { type Game, type GameChoices, Scope, type ScopeKind, useGameChoices } from './request-scope.tsx';

/** The top-up of the balance in the form. */
interface PayData {
  methods: PayMethods;
  /** The server's time of the page. */
  now: string;
}
type Texts = ReturnType<typeof textsOf>;

const MODES = [
  ['account', '打手登录您的账号，资料密封提交'],
  ['together', '您自己打，打手组队带'],
  ['online', '打手线上指导'],
] as const;

const PARTS = [1, 2, 3, 4, 5] as const;

/** Equal stages from the first rank to the target; the last one includes the remainder. */
function stagesOf(text: Texts, kind: ScopeKind): { title: string; sharePercent: number }[] {
  const count = Number(text('parts') || '1');
  const goal =
    kind === 'rank'
      ? rankText(text('toRank'), starsText(text('toDetail')))
      : `打完 ${text('num')} ${kind === 'hours' ? '小时' : '局'}`;
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
    ...(kind === 'rank' && text('fromRank') === '' && { fromRank: '请选择现在的段位' }),
    ...(kind === 'rank' && text('toRank') === '' && { toRank: '请选择目标段位' }),
    ...(kind !== 'rank' && !isCount(text('num')) && { num: '应为 1 至 9999 的整数' }),
    ...(text('area') === '' && { area: '请选择区服' }),
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
  ...(text('fromRank') !== '' && { fromRank: rankText(text('fromRank'), starsText(text('fromDetail'))) }),
  ...(text('toRank') !== '' && { toRank: rankText(text('toRank'), starsText(text('toDetail'))) }),
  ...(kind !== 'rank' && { num: text('num') }),
  area: rankText(text('area'), text('server')),
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

/** The amount missing in the balance for an order, in fen. */
const missingFen = ({ total, balance }: Quote): number => Math.max(0, fenOf(total) - fenOf(balance));

/** The total, and the top-up for the missing amount. */
function Total({ quote, methods, onPay }: { quote: Quote | null; methods: PayMethods; onPay: () => void }) {
  if (!quote) return <p className="text-13 text-ink-3">填写出价后显示应付金额。</p>;
  const missing = missingFen(quote);
  const names = methods.list.map(({ name }) => name).join('、');
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
          {names !== '' && (
            <Button size="sm" onClick={onPay}>
              用{names}付差额
            </Button>
          )}
        </p>
      )}
    </div>
  );
}

/** Tops up the missing amount by any method, without leaving the form. */
function PayMissing({
  quote,
  money: { methods, now },
  onClose,
  onPaid,
}: {
  quote: Quote;
  money: PayData;
  onClose: () => void;
  onPaid: () => void;
}) {
  return (
    <Dialog title="付差额" onClose={onClose} closeOnBackdrop={false}>
      <p className="px-4 text-13 text-ink-2">付款先进您的可用余额，到账后回到这张单子，填的内容都在。</p>
      <TopUp
        methods={methods}
        now={now}
        back="/center/boosting/requests?new=1"
        amount={yuanOf(Math.max(missingFen(quote), fenOf(methods.minimum)))}
        onDone={onPaid}
      />
    </Dialog>
  );
}

function Money({
  filled,
  errors,
  guide,
  onPrice,
}: {
  filled: Filled;
  errors: FormErrors;
  guide: Guide | null;
  onPrice: (price: string) => void;
}) {
  return (
    <div className="grid gap-4 md:grid-cols-3">
      <Field
        label="出价（元）"
        required
        error={errors.price}
        help={guide ? <GuideText guide={guide} /> : '打手完成后按段到账。'}
      >
        {(control) => (
          <Input
            {...control}
            name="price"
            inputMode="decimal"
            maxLength={9}
            defaultValue={filled['price']}
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
            defaultValue={filled['safetyDeposit']}
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
            defaultValue={filled['efficiencyDeposit']}
          />
        )}
      </Field>
    </div>
  );
}

function Terms({ filled, errors, maxOpenHours }: { filled: Filled; errors: FormErrors; maxOpenHours: number }) {
  return (
    <>
      <Field label="方式" required error={errors.mode}>
        {(control) => (
          <Select {...control} name="mode" defaultValue={filled['mode'] ?? 'account'}>
            {MODES.map(([mode, label]) => (
              <option key={mode} value={mode}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <div className="grid gap-4 md:grid-cols-3">
        <Field
          label="限时（小时）"
          required
          error={errors.hours}
          help="上号代打从提交账号起算，组队从双方点「我到了」起算；暂停不计。"
        >
          {(control) => (
            <Input {...control} name="hours" inputMode="numeric" maxLength={3} defaultValue={filled['hours'] ?? 20} />
          )}
        </Field>
        <Field label="分几段付款" required error={errors.milestones} help="确认一段才付一段。">
          {(control) => (
            <Select {...control} name="parts" defaultValue={filled['parts'] ?? 2}>
              {PARTS.map((n) => (
                <option key={n} value={n}>
                  {n === 1 ? '不分段，完成后付' : `平均分 ${n} 段`}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="接单有效期" required error={errors.openHours} help="到时没人接，货款自动全额退回。">
          {(control) => (
            <Select {...control} name="openHours" defaultValue={filled['openHours'] ?? 24}>
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
        {(control) => <Textarea {...control} name="note" rows={2} maxLength={300} defaultValue={filled['note']} />}
      </Field>
    </>
  );
}

const FIELDS = [
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
] as const;

/** The form of an open order: work, price and deadline; the money goes to escrow on submission. */
export function RequestForm({
  games,
  loaded,
  maxOpenHours,
  filled,
  money,
  onClose,
}: {
  games: readonly Game[];
  /** The options of the initial game, from the loader. */
  loaded: GameChoices | null;
  maxOpenHours: number;
  filled: Filled;
  money: PayData;
  onClose: () => void;
}) {
  const [gameId, setGame] = useState(Number(filled['gameId'] ?? games[0]?.gameId ?? 0));
  const choices = useGameChoices(gameId, loaded);
  const [kind, setKind] = useState<ScopeKind>(scopeKinds.find((one) => one === filled['scopeKind']) ?? 'rank');
  const [price, setPrice] = useState(filled['price'] ?? '');
  const [ends, setEnds] = useState({ from: filled['fromRank'] ?? '', to: filled['toRank'] ?? '' });
  const guide = useGuide(kind === 'rank' ? choices : null, ends.from, ends.to);
  const { quote, again } = useQuote(price);
  const [isPaying, setPaying] = useState(false);
  const { form, errors, busy, setErrors, send } = useMutation(
    (body: CallInput<typeof boostPost>, options) => withStepUp('pay', () => call(boostPost, body, options), true),
    {
      fields: FIELDS,
      intent: 'boostPost',
      revalidates: true,
      done: ({ total }) => {
        saveDraft(null);
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
      <form
        ref={form}
        noValidate
        className="grid gap-4 px-4 py-4"
        onSubmit={submit}
        onChange={({ currentTarget }) => saveDraft(currentTarget)}
      >
        <Scope
          games={games}
          gameId={gameId}
          onGame={setGame}
          choices={choices}
          filled={filled}
          kind={kind}
          onKind={setKind}
          onRoute={(end) => setEnds({ ...ends, ...end })}
          errors={errors}
        />
        <Terms filled={filled} errors={errors} maxOpenHours={maxOpenHours} />
        <Money filled={filled} errors={errors} guide={guide} onPrice={setPrice} />
        <FormError>{errors.send}</FormError>
        <div className="flex flex-wrap items-end justify-between gap-3 border-t border-line-soft pt-4">
          <Total quote={quote} methods={money.methods} onPay={() => setPaying(true)} />
          <Button type="submit" kind="primary" busy={busy} className="max-md:w-full">
            托管并发单
          </Button>
        </div>
      </form>
      {isPaying && quote && (
        <PayMissing
          quote={quote}
          money={money}
          onClose={() => setPaying(false)}
          onPaid={() => {
            setPaying(false);
            again();
          }}
        />
      )}
    </section>
  );
}
