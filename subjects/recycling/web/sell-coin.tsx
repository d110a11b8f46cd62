import { AuthStatus } from '#contract/rules/statuses.ts';
import { useState } from 'react';
import {
  Link,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
  useLoaderData,
  useLocation,
  useNavigate,
} from 'react-router';
import { crossList, gameList } from '#subjects/games/contract/games.ts';
import type { Data } from '#contract/endpoint.ts';
import { coinRecycleList, sellCoin } from '#subjects/recycling/contract/recycling.ts';
import { coinText } from '#subjects/quick-coin/rules/coin.ts';
import { feeOf } from '#contract/rules/fee.ts';
import { withoutStale } from '#web/lib/lists/stale-params.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { call } from '#web/lib/api/api.ts';
import { market, optional } from '#web/lib/pages/context.ts';
import { countText, fenOf, grouped, yuanOf } from '#web/lib/format/format.ts';
import { loginPath } from '#web/lib/pages/paths.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { textsOf, integerOf } from '#web/lib/forms/form-values.ts';
import { Deliveries, Ratios } from '#web/parts/goods/ratios.tsx';
import { FilterRow } from '#subjects/goods/web/parts/filters/filter-row.tsx';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Select } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

const PAGE = 20;
const COIN = '2';

function numberOf(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null || text === '') return null;
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, user } = market(args);
  const query = args.url.searchParams;
  const areaId = numberOf(query, 'areaId');
  const { list } = await request(gameList, {});
  const games = list.filter((g) => COIN in g.goodsTypeAndNameMap).map(({ id, name }) => ({ id, name }));
  // Prices of two currencies cannot be compared, so one game is always selected.
  const gid = numberOf(query, 'gid') ?? games[0]?.id ?? null;
  if (gid !== null && !games.some(({ id }) => id === gid))
    return redirect(withoutStale('/wares/goldRecycling', ['gid']));
  const cross = gid === null ? null : await optional(request(crossList, { gameId: gid }));
  const areas = (cross?.list ?? []).map((a) => ({ id: a.specialId, name: a.specialName }));
  if (areaId !== null && !areas.some(({ id }) => id === areaId))
    return redirect(withoutStale(`/wares/goldRecycling?gid=${gid}`, ['area']));
  const filter = { pageSize: PAGE, ...(gid !== null && { gameId: gid }), ...(areaId !== null && { areaId }) };
  const first = await request(coinRecycleList, filter);
  return {
    gid,
    areaId,
    games,
    areas,
    filter,
    first,
    login: user ? null : loginPath(args.url),
    isVerified: user?.authStatus === AuthStatus.Verified,
  };
}

type PageData = Exclude<Awaited<ReturnType<typeof loader>>, Response>;
type Offer = Data<typeof coinRecycleList>['list'][number];

export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: '金币回收',
    description: '卖游戏币给认证回收商：对方先付款到平台托管，您再交货；比例、到手金额提前看清',
    canonicalQuery: args.loaderData?.gid ? `gid=${args.loaderData.gid}` : undefined,
  });

const pathOf = (gid: number | null, areaId: number | null): string => {
  const query = new URLSearchParams({
    ...(gid !== null && { gid: String(gid) }),
    ...(areaId !== null && { areaId: String(areaId) }),
  });
  return query.size > 0 ? `/wares/goldRecycling?${query}` : '/wares/goldRecycling';
};

function Filters({ data }: { data: PageData }) {
  const { gid, areaId, games, areas } = data;
  return (
    <div className="choices">
      <FilterRow
        label="游戏"
        options={games.map(({ id, name }) => ({
          key: String(id),
          label: name,
          to: pathOf(id, null),
          chosen: id === gid,
        }))}
      />
      {areas.length > 0 && (
        <FilterRow
          label="大区"
          options={[
            { key: 'all', label: '全部', to: pathOf(gid, null), chosen: areaId === null },
            ...areas.map(({ id, name }) => ({
              key: String(id),
              label: name,
              to: pathOf(gid, id),
              chosen: id === areaId,
            })),
          ]}
        />
      )}
    </div>
  );
}

function SellDialog({
  offer,
  fee,
  onClose,
}: {
  offer: Offer;
  fee: { bp: number; maxFen: number };
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const [num, setNum] = useState(String(offer.minNum));
  const [delivery, setDelivery] = useState(String(offer.delivery[0]?.id ?? 1));
  const lots = integerOf(num, offer.minNum, offer.wantedNum);
  const goodsFen = fenOf(offer.lotPrice) * (lots ?? 0);
  const feeFen = feeOf(goodsFen, fee.bp, { maxFen: fee.maxFen });
  const { form, busy, errors, submit } = useMutation(sellCoin, {
    fields: ['num', 'roleName'],
    intent: `sellCoin:${offer.offerSn}`,
    check: ({ roleName }) => ({
      num: lots === null ? `请填写 ${offer.minNum} 到 ${offer.wantedNum} 之间的份数` : undefined,
      roleName: roleName === '' ? '请填写出货角色名' : undefined,
    }),
    done: async ({ orderSn }) => {
      toast('对方已付款到托管，请按约定交货', 'ok');
      await navigate(`/center/buyOrderDetail?orderSn=${orderSn}`);
      return true;
    },
  });
  const read = (element: HTMLFormElement) => ({
    offerSn: offer.offerSn,
    version: offer.version,
    num: lots ?? 0,
    delivery: Number(delivery),
    roleName: textsOf(element)('roleName'),
  });
  return (
    <Dialog title={`卖给 ${offer.recyclerName}`} onClose={onClose} closeOnBackdrop={false}>
      <form ref={form} noValidate className="grid gap-4" onSubmit={submit(read)}>
        <p className="text-13 text-ink-2">
          {offer.gameName} {offer.areaName}，{offer.ratioText}，每份 {coinText(offer.lotUnits, offer.unit)}
        </p>
        <Field
          label="份数"
          required
          error={errors.num}
          help={lots === null ? undefined : `共 ${coinText(offer.lotUnits * lots, offer.unit)}`}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              autoComplete="off"
              value={num}
              onChange={(event) => setNum(event.target.value)}
            />
          )}
        </Field>
        <Field label="交货方式" required>
          {(control) => (
            <Select {...control} value={delivery} onChange={(event) => setDelivery(event.target.value)}>
              {offer.delivery.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="出货角色名" required error={errors.roleName} help="对方凭角色名核对来源。">
          {(control) => <Input {...control} name="roleName" maxLength={40} autoComplete="off" />}
        </Field>
        <dl className="grid grid-cols-[1fr_auto] gap-y-1 border-t border-line-soft pt-3 text-13 text-ink-2">
          <dt>对方付款</dt>
          <dd>
            <Amount yuan={yuanOf(goodsFen)} />
          </dd>
          <dt>卖家佣金</dt>
          <dd>
            <Amount yuan={yuanOf(feeFen)} sign="-" />
          </dd>
          <dt className="font-semibold text-ink">您到手</dt>
          <dd className="font-semibold text-ink">
            <Amount yuan={yuanOf(goodsFen - feeFen)} />
          </dd>
        </dl>
        <FormError>{errors.send}</FormError>
        <Button type="submit" kind="primary" size="lg" busy={busy}>
          确认卖出
        </Button>
        <p className="text-12 text-ink-3">提交后对方的钱立刻进入平台托管；对方确认到账或 24 小时无异议后放款给您。</p>
      </form>
    </Dialog>
  );
}

function Row({ offer, data, onSell }: { offer: Offer; data: PageData; onSell: () => void }) {
  return (
    <li className="coin-row">
      <Ratios ratioText={offer.ratioText} unitPriceText={offer.unitPriceText} />
      <span className="min-w-0 text-13">
        <span className="block truncate">
          {offer.gameName} {offer.areaName}
        </span>
        <span className="mt-1 flex items-center gap-2 text-12 text-ink-3">
          <Deliveries delivery={offer.delivery} />
          <span className="truncate">
            还可收 {grouped(offer.wantedNum)} 份{offer.minNum > 1 && `，${offer.minNum} 份起`}
          </span>
        </span>
      </span>
      <span className="min-w-0 text-13">
        <b className="block truncate font-medium">{offer.recyclerName}</b>
        <span className="text-12 text-ink-3">已收 {grouped(offer.doneNum)} 单</span>
      </span>
      <span className="coin-price">
        <b className="text-16 font-semibold">
          <Amount yuan={offer.lotNet} />
        </b>
        <span className="text-12 text-ink-3">{coinText(offer.lotUnits, offer.unit)} 到手</span>
      </span>
      {offer.isMine ? (
        <Tag>我的报价</Tag>
      ) : data.login ? (
        <ButtonLink to={data.login} kind="tonal">
          登录后卖
        </ButtonLink>
      ) : data.isVerified ? (
        <Button kind="tonal" onClick={onSell} aria-label={`去出售，${offer.recyclerName} ${offer.ratioText}`}>
          去出售
        </Button>
      ) : (
        <ButtonLink to="/center/myself/identityAuthentication?returnUrl=%2Fwares%2FgoldRecycling">先实名</ButtonLink>
      )}
    </li>
  );
}

function Offers({ data }: { data: PageData }) {
  const [selling, setSelling] = useState<Offer | null>(null);
  const { first, filter } = data;
  const { items, next, busy, error, more } = useCursorList(
    first,
    async (cursor) => await call(coinRecycleList, { ...filter, cursor }, { quiet: true }),
    (offer: Offer) => offer.offerSn,
  );
  return (
    <section className="panel mt-4" aria-labelledby="buyers">
      <div className="panel-head">
        <h2 id="buyers">回收报价</h2>
        <p>单价高的在前，共 {countText(first.total, first.totalCapped)} 个</p>
        <Link to="/center/recycler" className="link hit ml-auto text-13">
          {first.isRecycler ? '管理我的回收报价' : '成为回收商'}
        </Link>
      </div>
      {items.length === 0 ? (
        <EmptyState title="这里暂时没有人收" action={<ButtonLink to="/center/sell">自己发布金币商品</ButtonLink>}>
          换个游戏或大区看看，也可以自己定价发布。
        </EmptyState>
      ) : (
        <>
          <ul>
            {items.map((offer) => (
              <Row key={offer.offerSn} offer={offer} data={data} onSell={() => setSelling(offer)} />
            ))}
          </ul>
          <ListEnd next={next} busy={busy} error={error} onMore={more} />
        </>
      )}
      {selling && (
        <SellDialog
          offer={selling}
          fee={{ bp: first.commissionBp, maxFen: fenOf(first.commissionMax) }}
          onClose={() => setSelling(null)}
        />
      )}
    </section>
  );
}

/** Coin that recyclers buy: standing offers with the ratio and the proceeds, sold in one step. */
export default function GoldRecycling() {
  const data = useLoaderData<typeof loader>();
  const { key } = useLocation();
  return (
    <>
      <div className="max-md:hidden">
        <Breadcrumb items={[{ label: '首页', to: '/' }, { label: '金币回收' }]} />
      </div>
      <section className="panel max-md:mt-3" aria-labelledby="recycle">
        <div className="panel-head">
          <h1 id="recycle" className="text-16 font-semibold">
            金币回收
          </h1>
          <p className="max-md:hidden">对方先付款到托管，您再交货</p>
        </div>
        <Filters data={data} />
      </section>
      <Offers key={key} data={data} />
    </>
  );
}
