import type { DeliveryId } from '#contract/rules/catalogue.ts';
import { CoinOfferStatus } from '#contract/rules/statuses.ts';
import { CircleAlert, Lock } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link, type MetaFunction, useLoaderData } from 'react-router';
import { coinDiscount } from '#subjects/quick-coin/contract/quick-coin.ts';
import { coinText } from '../rules/coin.ts';
import { feeOf, rateText } from '#contract/rules/fee.ts';
import { call } from '#web/lib/api/api.ts';
import { durationText, fenOf, grouped, yuanOf } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import RatioChart from '#web/parts/charts/ratio-chart.lazy.tsx';
import { integerOf } from '#web/lib/forms/form-values.ts';
import type { FormErrors, Message } from '#web/lib/forms/form-errors.ts';
import { Ratios } from '#web/parts/goods/ratios.tsx';
import { CouponChoice } from '#subjects/orders/web/parts/money/coupon-choice.tsx';
import { FeeLines } from '#subjects/orders/web/parts/money/fee-lines.tsx';
import { type Discount, bestCoupon, useDiscounts } from '#subjects/orders/web/parts/money/use-discounts.ts';
import { RolePicker } from '#web/parts/role-picker.tsx';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { ContactHint } from '#web/parts/contact-hint.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { TypeTag } from '#web/ui/tag.tsx';
import { LeftOver } from './left-over.tsx';
import type { loader, OrderData } from './order-loader.ts';
import { useCoinOrder } from './use-coin-order.ts';

export { loader } from './order-loader.ts';

export const handle = { phone: { back: true, isShort: true } };

export const meta: MetaFunction = (args) => pageMeta(args, { title: '金币下单', noindex: true });

/** The buyer's task for each delivery method, in one sentence. */
const HOW: Readonly<Record<number, string>> = {
  1: '店铺把金币邮寄到您的角色，注意查收游戏内邮箱。',
  2: '您在拍卖行按约定价格挂一件物品，店铺买下它。物品名和标价要写准。',
  3: '双方在游戏内约定地点面对面交易，交易前核对对方角色名。',
} satisfies Record<DeliveryId, string>;

function Offer({ data }: { data: OrderData }) {
  const { offer, history } = data;
  const region = [offer.gameName, offer.areaName, offer.serverName, offer.camp].filter(Boolean).join(' ');
  return (
    <div className="grid gap-4 px-4 py-4 md:grid-cols-[1fr_260px]">
      <div className="grid content-start gap-2">
        <p className="text-14">
          <TypeTag typeId={53} className="mr-1.5" />
          {offer.bigTitle}
        </p>
        <Ratios ratioText={offer.ratioText} unitPriceText={offer.unitPriceText} />
        <p className="flex flex-wrap gap-x-4 text-12 text-ink-3">
          <span>{region}</span>
          <span>每份 {coinText(offer.lotUnits, offer.unit)}</span>
          <span>库存 {grouped(offer.stock)} 份</span>
          <span>
            店铺 {offer.shop.name}
            {offer.shop.online ? '，在线' : '，离线'}
          </span>
          {offer.shop.hoursText && <span>营业时间 {offer.shop.hoursText}</span>}
          <span>承诺 {durationText(offer.shipMinutes)}内发货</span>
        </p>
        {offer.note && <p className="rounded-control bg-sunken px-3 py-2 text-13 text-ink-2">店铺说明：{offer.note}</p>}
      </div>
      {history && history.list.length > 1 && <RatioChart history={history} />}
    </div>
  );
}

function WhoMayBuy({ data }: { data: OrderData }) {
  if (data.isVerified && data.isAdult) return null;
  const back = encodeURIComponent(`/fastGold/${data.offer.quickCoinSn}/order`);
  return (
    <p
      className="mx-4 mt-4 flex gap-2 rounded-control border border-attn-line bg-attn-bg px-3 py-2 text-13 text-attn"
      role="alert"
    >
      <CircleAlert className="icon mt-0.5" aria-hidden="true" />
      {data.isVerified ? (
        '根据国家规定，未满 18 周岁不能交易。'
      ) : (
        <span>
          下单前需完成实名认证。{' '}
          <Link to={`/center/myself/identityAuthentication?returnUrl=${back}`} className="link font-medium">
            去实名认证
          </Link>
        </span>
      )}
    </p>
  );
}

interface More {
  auctionItem: string;
  meetPlace: string;
}

/** The number of lots, typed or selected, with the resulting amount. */
function Lots({
  offer,
  num,
  onNum,
  error,
}: {
  offer: OrderData['offer'];
  num: string;
  onNum: (num: string) => void;
  error: Message | undefined;
}) {
  const most = Math.min(offer.maxNum, offer.stock);
  const lots = integerOf(num, offer.minNum, most);
  return (
    <Field
      label="份数"
      required
      error={error}
      help={`每份 ${coinText(offer.lotUnits, offer.unit)}，可买 ${grouped(offer.minNum)} 到 ${grouped(most)} 份${lots === null ? '' : `；本次共 ${coinText(offer.lotUnits * lots, offer.unit)}`}`}
    >
      {(control) => (
        <span className="flex flex-wrap items-center gap-2">
          <Input
            {...control}
            className="w-28!"
            inputMode="numeric"
            autoComplete="off"
            value={num}
            onChange={(event) => onNum(event.target.value)}
          />
          {offer.lots.map((n) => (
            <button
              key={n}
              type="button"
              className={cx('pick', lots === n && 'pick-on')}
              aria-pressed={lots === n}
              onClick={() => onNum(String(n))}
            >
              {n} 份
            </button>
          ))}
        </span>
      )}
    </Field>
  );
}

/** The receiving character, and the fields that the delivery method requires. */
function Receiver({
  role,
  onRole,
  delivery,
  more,
  onMore,
  errors,
}: {
  role: { name: string; level: string };
  onRole: (role: { name: string; level: string }) => void;
  delivery: number;
  more: More;
  onMore: (more: More) => void;
  errors: FormErrors;
}) {
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <Field label="收货角色名" required error={errors.roleName} help="与游戏内完全一致，填错无法到账。">
        {(control) => (
          <Input
            {...control}
            maxLength={40}
            autoComplete="off"
            value={role.name}
            onChange={(event) => onRole({ ...role, name: event.target.value })}
          />
        )}
      </Field>
      <Field label="角色等级" error={errors.roleLevel}>
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            autoComplete="off"
            value={role.level}
            onChange={(event) => onRole({ ...role, level: event.target.value.trim() })}
          />
        )}
      </Field>
      {delivery === 2 && (
        <Field
          label="拍卖物品"
          required
          error={errors.auctionItem}
          help="写明物品名与标价，例如：无色小晶块，一口价 5,000 万。"
        >
          {(control) => (
            <>
              <Input
                {...control}
                maxLength={40}
                value={more.auctionItem}
                onChange={(event) => onMore({ ...more, auctionItem: event.target.value })}
              />
              <ContactHint text={more.auctionItem} />
            </>
          )}
        </Field>
      )}
      {delivery === 3 && (
        <Field label="见面地点" error={errors.meetPlace} help="可在交易群里再约。">
          {(control) => (
            <>
              <Input
                {...control}
                maxLength={60}
                value={more.meetPlace}
                onChange={(event) => onMore({ ...more, meetPlace: event.target.value })}
              />
              <ContactHint text={more.meetPlace} />
            </>
          )}
        </Field>
      )}
    </div>
  );
}

/** The coupon that is used, while it applies to that many lots: the best one until the buyer chooses. */
function useCoupon({ offer, discounts }: OrderData, lots: number | null) {
  const [picked, setPicked] = useState<number | null>(null);
  const query = { quickCoinSn: offer.quickCoinSn, num: lots ?? offer.minNum };
  const { list, again } = useDiscounts(
    JSON.stringify(query),
    async (signal) => await call(coinDiscount, query, { quiet: true, signal }),
    discounts,
  );
  const used = bestCoupon(picked === null ? list : list.filter(({ couponId }) => couponId === picked), false);
  const coupon = list.find(({ couponId }) => used > 0 && couponId === used);
  return {
    coupon,
    coupons: { list, couponId: used, onPick: setPicked, onReceived: again, isAuto: picked === null },
  };
}

const couponRow = ({ kindName, name, takes }: Discount) => ({
  code: 'coupon',
  label: `${kindName} · ${name}`,
  amount: `-${takes}`,
  rule: '由平台承担，卖家到手不变',
});

function Form({ data }: { data: OrderData }) {
  const { offer } = data;
  const most = Math.min(offer.maxNum, offer.stock);
  const [num, setNum] = useState(String(data.startNum));
  const [delivery, setDelivery] = useState(offer.delivery[0]?.id ?? 1);
  const [role, setRole] = useState({ name: '', level: '' });
  const [more, setMore] = useState<More>({ auctionItem: '', meetPlace: '' });
  const { form, busy, errors, setErrors, place: placeOrder } = useCoinOrder();
  const lots = integerOf(num, offer.minNum, most);
  const goodsFen = fenOf(offer.lotPrice) * (lots ?? 0);
  const feeFen = feeOf(goodsFen, offer.serviceFeeBp);
  const { coupons, coupon } = useCoupon(data, lots);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = {
      ...(lots === null && { num: `请填写 ${offer.minNum} 到 ${most} 之间的份数` }),
      ...(role.name.trim() === '' && { roleName: '请填写收货角色名' }),
      ...(role.level !== '' && integerOf(role.level, 1, 9999) === null && { roleLevel: '等级应为 1 到 9999 的整数' }),
      ...(delivery === 2 && more.auctionItem.trim() === '' && { auctionItem: '请填写拍卖物品' }),
    };
    setErrors(wrong);
    if (Object.keys(wrong).length > 0 || lots === null) return;
    const { quickCoinSn, version } = offer;
    void placeOrder({
      quickCoinSn,
      version,
      num: lots,
      delivery,
      roleName: role.name,
      roleLevel: role.level,
      ...more,
      couponId: coupon?.couponId ?? 0,
    });
  };
  return (
    <form ref={form} noValidate className="grid gap-4 border-t border-line-soft px-4 py-4" onSubmit={submit}>
      <Lots offer={offer} num={num} onNum={setNum} error={errors.num} />
      <fieldset className="field">
        <legend>交货方式</legend>
        <span className="flex flex-wrap gap-2">
          {offer.delivery.map(({ id, name }) => (
            <button
              key={id}
              type="button"
              className={cx('btn', id === delivery && 'btn-tonal')}
              aria-pressed={id === delivery}
              onClick={() => setDelivery(id)}
            >
              {name}
            </button>
          ))}
        </span>
        <p className="field-help">{HOW[delivery]}</p>
      </fieldset>
      <RolePicker
        gameId={offer.gameId}
        onPick={(card) => setRole({ name: card.roleName, level: card.roleLevel ? String(card.roleLevel) : '' })}
      />
      <Receiver role={role} onRole={setRole} delivery={delivery} more={more} onMore={setMore} errors={errors} />
      <div className="-mx-4">
        <CouponChoice {...coupons} />
      </div>
      <FeeLines
        className="border-t border-line-soft pt-3"
        lines={[
          {
            code: 'goods',
            label: `商品价 × ${lots ?? 0}`,
            amount: yuanOf(goodsFen),
            rule: `每份 ${grouped(offer.lotPrice)} 元`,
          },
          {
            code: 'service',
            label: '买家服务费',
            amount: yuanOf(feeFen),
            rule: `商品价的 ${rateText(offer.serviceFeeBp)}，四舍五入到分`,
          },
          ...(coupon ? [couponRow(coupon)] : []),
        ]}
        total={yuanOf(goodsFen + feeFen - fenOf(coupon?.takes ?? '0.00'))}
        totalLabel="合计应付"
      />
      <FormError>{errors.send}</FormError>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="flex max-w-100 gap-1.5 text-12 text-ink-3">
          <Lock className="icon mt-px size-3.5" aria-hidden="true" />
          货款由平台托管，确认到账后才放给店铺；超时未发货可直接退款
        </p>
        <Button
          type="submit"
          kind="primary"
          size="lg"
          busy={busy}
          disabled={!data.isVerified || !data.isAdult}
          className="min-w-44 max-md:w-full"
        >
          提交订单
        </Button>
      </div>
    </form>
  );
}

/** The coin order form: number of lots, delivery method, receiving character, and the total cost. */
export default function CoinOrder() {
  const data = useLoaderData<typeof loader>() as OrderData;
  const { offer } = data;
  const storefront = `/fastGold/fastGoldOrder?gid=${offer.gameId}&areaId=${offer.areaId}`;
  const closed = offer.isMine || offer.status !== CoinOfferStatus.OnSale || offer.stock < offer.minNum;
  return (
    <div className="mx-auto max-w-180">
      <div className="max-md:hidden">
        <Breadcrumb
          items={[{ label: '首页', to: '/' }, { label: '极速金币', to: storefront }, { label: '金币下单' }]}
        />
      </div>
      <section className="panel max-md:my-3" aria-labelledby="coin-order">
        <div className="panel-head">
          <h1 id="coin-order" className="text-16 font-semibold">
            金币下单
          </h1>
          <p>提交后为您保留 {durationText(data.offer.payMinutes)}</p>
        </div>
        <Offer data={data} />
        {data.left > 0 && (
          <LeftOver units={data.left} unit={offer.unit} to={`${storefront}&amount=${data.left}${data.restQuery}`} />
        )}
        <WhoMayBuy data={data} />
        {closed ? (
          <EmptyState
            title={offer.isMine ? '这是您自己店铺的报价' : '这个报价已经卖完或下架'}
            action={
              <ButtonLink to={offer.isMine ? '/center/myshop/shopmanage' : storefront} kind="primary">
                {offer.isMine ? '管理报价' : '查看同区其他报价'}
              </ButtonLink>
            }
          />
        ) : (
          <Form key={offer.quickCoinSn} data={data} />
        )}
      </section>
    </div>
  );
}
