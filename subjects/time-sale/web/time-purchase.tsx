import { AuthStatus, GoodsStatus } from '#contract/rules/statuses.ts';
import { Timer } from 'lucide-react';
import { type FormEvent } from 'react';
import { type LoaderFunctionArgs, type MetaFunction, useLoaderData, useNavigate, useRevalidator } from 'react-router';
import { goodsInfo } from '#subjects/goods/contract/goods.ts';
import { placeTimePurchase, saveTimeSale, timeSaleInfo } from '#subjects/time-sale/contract/time-sale.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { market } from '#web/lib/pages/context.ts';
import { grouped } from '#web/lib/format/format.ts';
import { loginPath } from '#web/lib/pages/paths.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { textsOf } from '#web/lib/forms/form-values.ts';
import { GoodsSummary } from '#subjects/orders/web/parts/order/goods-line.tsx';
import { fullAt } from '#web/lib/format/times.ts';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Countdown } from '#web/ui/countdown.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Amount, Price } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

export const handle = { phone: { back: true, title: '限时抢购', isShort: true } };

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, user } = market(args);
  const goodsSn = args.params.sn;
  if (!goodsSn || !/^[A-Za-z0-9-]{1,32}$/.test(goodsSn)) notFound();
  const [goods, info] = await Promise.all([request(goodsInfo, { goodsSn }), request(timeSaleInfo, { goodsSn })]);
  const { bigTitle, gameName, goodsTypeId, goodsTypeStr, thumbnail, pageUrl, price, stock, crossName, status, isMine } =
    goods;
  return {
    goods: {
      goodsSn: goods.goodsSn,
      bigTitle,
      gameName,
      goodsTypeId,
      goodsTypeStr,
      thumbnail,
      pageUrl,
      price,
      stock,
      crossName,
      status,
      isBuyable: status === GoodsStatus.OnSale && !isMine,
    },
    info,
    login: user ? null : loginPath(args.url),
    isVerified: user?.authStatus === AuthStatus.Verified,
  };
}

type PageData = Awaited<ReturnType<typeof loader>>;
type Sale = NonNullable<PageData['info']['sale']>;

export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: `${args.loaderData?.goods.bigTitle ?? ''} 限时抢购`,
    description: '限时价以近 30 天最低价为参照，到点恢复原价，不虚标原价',
    noindex: args.loaderData?.info.sale?.state !== 'open',
  });

/** Places an order at the displayed price; the idempotency key is saved before the request, so a retry creates no second order. */
function useBuy(data: PageData) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const { goodsSn } = data.goods;
  const { busy, error, send } = useMutation(placeTimePurchase, {
    intent: `timePurchase:${goodsSn}`,
    done: async ({ orderSn }) => {
      await navigate(`/wares/${goodsSn}/pay?orderSn=${orderSn}`);
    },
    failed: async () => await revalidate(),
  });
  const buy = async (price: string) => await send({ goodsSn, goodsNum: 1, price });
  return { busy, refusal: error, buy };
}

/** The buttons: to buy, or what is required first, and the listing. */
function SaleActions({ data, sale }: { data: PageData; sale: Sale }) {
  const { busy, refusal: error, buy } = useBuy(data);
  const back = encodeURIComponent(`/wares/${data.goods.goodsSn}/timePurchase`);
  return (
    <>
      {data.login ? (
        <ButtonLink to={data.login} kind="primary" size="lg">
          登录后抢购
        </ButtonLink>
      ) : data.isVerified ? (
        <Button
          kind="primary"
          size="lg"
          busy={busy}
          disabled={sale.state !== 'open'}
          onClick={() => void buy(sale.price)}
        >
          {sale.state === 'open' ? '立即抢购' : sale.state === 'coming' ? '即将开始' : '已抢完'}
        </Button>
      ) : (
        <ButtonLink to={`/center/myself/identityAuthentication?returnUrl=${back}`} kind="primary" size="lg">
          先完成实名认证
        </ButtonLink>
      )}
      <ButtonLink to={data.goods.pageUrl} size="lg">
        查看商品详情
      </ButtonLink>
      <FormError className="w-full">{error}</FormError>
    </>
  );
}

function SaleBox({ data, sale }: { data: PageData; sale: Sale }) {
  const coming = sale.state === 'coming';
  return (
    <div className="border-t border-line-soft px-4 py-4">
      <p className="flex flex-wrap items-center gap-2 text-13 text-ink-2" role="timer">
        <Timer className="icon" aria-hidden="true" />
        {sale.state === 'over' ? (
          '本次限时已结束或抢完'
        ) : (
          <>
            {coming ? '距开始' : '距结束'}
            <Countdown until={coming ? sale.startTime : sale.endTime} now={data.info.now} />
            <span className="text-12 text-ink-3">{fullAt(coming ? sale.startTime : sale.endTime)}</span>
          </>
        )}
      </p>
      <p className="mt-3 flex flex-wrap items-baseline gap-x-2 gap-y-1">
        <Price yuan={sale.allInPrice} size="xl" />
        <span className="text-12 text-ink-3">全包价</span>
        <Tag tone="safe">省 {sale.offPercent}%</Tag>
        <span className="text-13 text-ink-2">剩 {grouped(sale.leftNum)} 件</span>
      </p>
      <p className="mt-2 text-13 text-ink-2">
        限时价 <Amount yuan={sale.price} className="font-semibold text-ink" />
        ，近 30 天最低{' '}
        <s>
          <Amount yuan={sale.was} />
        </s>
        。限时订单不含找回包赔，需要包赔请按标价购买。
      </p>
      <div className="mt-4 flex flex-wrap gap-2 max-md:[&>.btn]:flex-1">
        <SaleActions data={data} sale={sale} />
      </div>
    </div>
  );
}

/** The seller's form: it shows the allowed prices before anything is sent. */
function OwnForm({ data }: { data: PageData }) {
  const { goods, info } = data;
  const { own, sale } = info;
  const { form, busy, errors, send } = useMutation(saveTimeSale, {
    fields: ['price', 'hours', 'startHour', 'num'],
    revalidates: true,
    done: (_, { act: action }) => toast(action === 'stop' ? '限时价已停止' : '限时价已设置', 'ok'),
  });
  if (!own) return null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = textsOf(event.currentTarget);
    const { goodsSn } = goods;
    const body = {
      goodsSn,
      price: text('price'),
      hours: text('hours'),
      startHour: text('startHour'),
      num: text('num'),
    };
    void send(body);
  };
  const field = (name: string, label: string, value: string, help: string) => (
    <Field label={label} required error={errors[name]} help={help}>
      {(control) => <Input {...control} name={name} inputMode="decimal" autoComplete="off" defaultValue={value} />}
    </Field>
  );
  return (
    <section className="panel mt-4" aria-labelledby="own-sale">
      <div className="panel-head">
        <h2 id="own-sale">设置限时价</h2>
        <p>只有您看得到</p>
      </div>
      {own.closed ? (
        <EmptyState title={own.closed} action={<ButtonLink to="/center/sellOutGoods">查看我的商品</ButtonLink>} />
      ) : (
        <form ref={form} noValidate className="grid gap-4 p-4 md:grid-cols-4" onSubmit={submit}>
          {field(
            'price',
            '限时价（元）',
            sale?.price ?? '',
            `${own.minPrice} 到 ${own.maxPrice}，近 30 天最低价 ${own.reference} 的 30% 到 95%`,
          )}
          {field('startHour', '几小时后开始', '0', '0 为立即开始，最多 168')}
          {field('hours', '持续小时', '24', '1 到 72')}
          {field('num', '数量', String(own.stock), `不超过库存 ${own.stock}`)}
          <FormError className="md:col-span-4">{errors.send}</FormError>
          <div className="flex gap-2 md:col-span-4">
            <Button type="submit" kind="primary" busy={busy}>
              {sale ? '重新设置' : '开始限时价'}
            </Button>
            {sale && (
              <Button kind="danger" busy={busy} onClick={() => void send({ goodsSn: goods.goodsSn, act: 'stop' })}>
                停止
              </Button>
            )}
          </div>
        </form>
      )}
    </section>
  );
}

/** A limited-time price: the crossed-out price is the lowest of thirty days, and the end is displayed. */
export default function TimePurchase() {
  const data = useLoaderData<typeof loader>();
  const { goods, info } = data;
  return (
    <div className="mx-auto max-w-180">
      <div className="max-md:hidden">
        <Breadcrumb
          items={[{ label: '首页', to: '/' }, { label: '商品详情', to: goods.pageUrl }, { label: '限时抢购' }]}
        />
      </div>
      <section className="panel max-md:mt-3" aria-labelledby="sale">
        <div className="panel-head max-md:sr-only">
          <h1 id="sale" className="text-16 font-semibold">
            限时抢购
          </h1>
          <p>参照价为近 30 天最低价，不虚标</p>
        </div>
        <GoodsSummary
          title={goods.bigTitle}
          gameName={goods.gameName}
          typeId={goods.goodsTypeId}
          typeName={goods.goodsTypeStr}
          thumbnail={goods.thumbnail}
          seed={goods.goodsSn}
          to={goods.pageUrl}
          className="px-4 py-4"
        >
          <p className="text-12 text-ink-3">
            {goods.crossName && `${goods.crossName}，`}标价 <Amount yuan={goods.price} />
          </p>
        </GoodsSummary>
        {info.sale ? (
          <SaleBox key={info.sale.price} data={data} sale={info.sale} />
        ) : (
          <EmptyState
            title="这件商品没有限时价"
            action={<ButtonLink to={goods.pageUrl}>{goods.isBuyable ? '按标价购买' : '查看商品详情'}</ButtonLink>}
          >
            {goods.status !== GoodsStatus.OnSale
              ? '商品不在售，没有限时价。'
              : info.own
                ? '您还没有设置，买家按标价购买。'
                : '卖家没有设置，或商品改动后限时价已失效。'}
          </EmptyState>
        )}
      </section>
      <OwnForm data={data} />
    </div>
  );
}
