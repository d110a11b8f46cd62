import { CoinOfferStatus } from '#contract/rules/statuses.ts';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import {
  getShopQuickCoinInfo,
  selfPublishQuickCoinList,
  updateQuickCoin,
  updateShopQuickCoin,
} from '#subjects/quick-coin/contract/quick-coin.ts';
import { shopStatistics } from '#subjects/quick-coin/contract/shop-figures.ts';
import { hoursText, isOpenAt } from '#subjects/providers/rules/opening-hours.ts';
import { depositPath } from '#web/lib/pages/paths.ts';
import { call } from '#web/lib/api/api.ts';
import type { SendOptions } from '#web/lib/api/mutation.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { market } from '#web/lib/pages/context.ts';
import { durationText, grouped, yuanLabel } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { Figures, type OfferAction, OwnOfferRow } from '../web/parts/coin/own-offer-row.tsx';
import { ProviderWeeks, rateText } from '../web/parts/coin/provider-weeks.tsx';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { Pagination } from '#web/ui/lists/pagination.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { NeedsDeposit } from '#subjects/services/center/needs-deposit.tsx';
import { noOffers, OFFER_TABS, type OfferTab } from './no-offers.ts';
import { OfferDialog, type OwnOffer } from './offer-dialog.tsx';
import { HoursDialog } from '#subjects/providers/center/hours-dialog.tsx';
import { ownersOnly } from './owners-only.ts';
import { ShopDialog } from './shop-dialog.tsx';

const PAGE = 20;

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '店铺管理', noindex: true });
}

function managePath(status: number | null, page = 1): string {
  const query = new URLSearchParams({
    ...(status !== null && { status: String(status) }),
    ...(page > 1 && { pages: String(page) }),
  });
  return query.size > 0 ? `/center/myshop/shopmanage?${query}` : '/center/myshop/shopmanage';
}

export async function loader(args: LoaderFunctionArgs) {
  ownersOnly(args);
  const { call: request } = market(args);
  const query = args.url.searchParams;
  const status = OFFER_TABS.find(([value]) => String(value) === query.get('status'))?.[0] ?? null;
  const page = Math.min(50, Math.max(1, Number(query.get('pages')) || 1));
  const [info, statistics, offers] = await Promise.all([
    request(getShopQuickCoinInfo, {}),
    request(shopStatistics, {}),
    request(selfPublishQuickCoinList, { pageSize: PAGE, pages: Math.floor(page), ...(status !== null && { status }) }),
  ]);
  return { ...info, statistics, offers, status, page: Math.floor(page), now: new Date().toISOString() };
}

type Shop = NonNullable<Data<typeof getShopQuickCoinInfo>['shop']>;

function ShopFigures({ shop }: { shop: Shop }) {
  const figures: [string, string][] = [
    ['在售报价', `${shop.onSaleNum} / ${shop.maxOnSaleNum}`],
    ['待发货', String(shop.toShipNum)],
    ['近 30 日到手', yuanLabel(shop.income30)],
    ['平均发货', shop.averageShipMinutes === null ? '暂无' : durationText(shop.averageShipMinutes)],
    ['累计准时率', shop.onTimeRate === null ? '暂无' : `${shop.onTimeRate}%`],
    ['好评率', shop.goodRate === null ? '暂无' : `${shop.goodRate}%`],
  ];
  return <Figures figures={figures} className="grid-cols-3 md:grid-cols-6" />;
}

function ShopHead({
  shop,
  now,
  onEdit,
  onHours,
}: {
  shop: Shop;
  now: string;
  onEdit: () => void;
  onHours: () => void;
}) {
  const { busy, send } = useMutation(updateShopQuickCoin, { toasts: true, revalidates: true });
  return (
    <section className="panel" aria-labelledby="shop">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3.5">
        <h1 id="shop" className="text-16 font-semibold">
          {shop.name}
        </h1>
        <Tag tone={shop.online ? 'safe' : 'attn'}>{shop.online ? '接单中' : '休息中'}</Tag>
        {shop.hasPending && <Tag tone="attn">资料修改审核中</Tag>}
        {shop.deposit.levelName && <span className="text-13 text-ink-3">{shop.deposit.levelName}</span>}
        <span className="ml-auto flex gap-2">
          <Button size="sm" busy={busy} onClick={() => void send({ isOnline: shop.online ? '0' : '1' })}>
            {shop.online ? '转为休息' : '开始接单'}
          </Button>
          <ButtonLink size="sm" to="#figures">
            经营数据
          </ButtonLink>
          <Button size="sm" onClick={onHours}>
            营业时间
          </Button>
          <Button size="sm" onClick={onEdit}>
            店铺资料
          </Button>
        </span>
      </div>
      <p className="-mt-1.5 px-4 pb-3 text-12 text-ink-3">
        营业时间：{hoursText(shop.hours) || '全天'}
        {shop.online && !isOpenAt(shop.hours, Date.parse(now)) && (
          <span className="ml-1 text-attn">现在不在营业时间内，买家看到的是离线</span>
        )}
      </p>
      {shop.deposit.level === 0 && (
        <NeedsDeposit
          role={{ service: '店铺', deposit: depositPath('shop') }}
          what="不能上架报价"
          className="mx-4 mb-3.5"
        />
      )}
      <ShopFigures shop={shop} />
    </section>
  );
}

function OfferRow({
  offer,
  onEdit,
  onAction,
}: {
  offer: OwnOffer;
  onEdit: () => void;
  onAction: (action: OfferAction) => void;
}) {
  return (
    <OwnOfferRow
      offer={offer}
      regionText={[offer.gameName, offer.areaName, offer.serverName, offer.camp].filter(Boolean).join(' ')}
      sn={offer.quickCoinSn}
      lotNote={`，到手 ${offer.net}`}
      amount={`库存 ${grouped(offer.stock)}`}
      amountNote={`已售 ${grouped(offer.soldNum)} 份`}
      stateName={offer.stock === 0 && offer.status === CoinOfferStatus.OnSale ? '在售，缺货' : offer.statusName}
      labels={{ push: '上架', pull: '下架' }}
      onEdit={onEdit}
      onAction={onAction}
    />
  );
}

const ACTION_DONE: Readonly<Record<OfferAction, string>> = { push: '已上架', pull: '已下架', remove: '已删除' };

const change = (offer: OwnOffer, action: OfferAction, options: SendOptions) =>
  call(updateQuickCoin, { quickCoinSn: offer.quickCoinSn, applyChange: action }, options);

/** Puts an offer on sale or takes it off sale. */
function useOfferAction() {
  return useMutation(
    async ({ offer, action }: { offer: OwnOffer; action: OfferAction }, options) =>
      await change(offer, action, options),
    { toasts: true, revalidates: 'always', done: (_, { action }) => toast(ACTION_DONE[action], 'ok') },
  );
}

/** An empty page of offers: the result of its filter, and the next step. */
function NoOffers({ onPublish, ...found }: { status: OfferTab; passing: number; all: number; onPublish: () => void }) {
  const { title, text, next } = noOffers(found.status, found.passing, found.all);
  const action =
    next === 'publish' ? (
      <Button onClick={onPublish}>发布第一个报价</Button>
    ) : (
      <ButtonLink to={managePath(next === 'first' ? found.status : null)}>
        {next === 'first' ? '回到第一页' : '查看全部报价'}
      </ButtonLink>
    );
  return (
    <EmptyState title={title} action={action}>
      {text}
    </EmptyState>
  );
}

/** The user's own shop: figures, offers and actions on them. */
export default function ManageShop() {
  const { shop, statistics, coinGames, offers, status, page, now } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [editing, setEditing] = useState<OwnOffer | 'new' | null>(null);
  const [removing, setRemoving] = useState<OwnOffer | null>(null);
  const [profile, setProfile] = useState(false);
  const [hours, setHours] = useState(false);
  const { send: sendAction } = useOfferAction();
  if (!shop) return null;
  const games = coinGames.filter((g) => shop.games.some(({ gameId }) => gameId === g.gameId));
  const done = () => {
    setEditing(null);
    setProfile(false);
    setHours(false);
    void revalidate();
  };
  return (
    <div className="grid gap-4">
      <ShopHead shop={shop} now={now} onEdit={() => setProfile(true)} onHours={() => setHours(true)} />
      <section className="panel" aria-labelledby="offers">
        <div className="panel-head">
          <h2 id="offers">金币报价</h2>
          <p className="max-md:hidden">改价后旧价未付款的订单不受影响</p>
          <Button kind="primary" size="sm" className="ml-auto" onClick={() => setEditing('new')}>
            <Plus className="icon" aria-hidden="true" />
            发布报价
          </Button>
        </div>
        <LinkTabs
          label="报价状态"
          items={OFFER_TABS.map(([value, label]) => ({
            key: label,
            label,
            to: managePath(value),
            isCurrent: status === value,
            count: offers.counts[String(value ?? 'all')],
          }))}
        />
        {offers.list.length === 0 ? (
          <NoOffers
            status={status}
            passing={offers.counts[String(status ?? 'all')] ?? 0}
            all={offers.counts.all ?? 0}
            onPublish={() => setEditing('new')}
          />
        ) : (
          <>
            <ul aria-label="金币报价">
              {offers.list.map((offer) => (
                <OfferRow
                  key={offer.quickCoinSn}
                  offer={offer}
                  onEdit={() => setEditing(offer)}
                  onAction={(action) => (action === 'remove' ? setRemoving(offer) : void sendAction({ offer, action }))}
                />
              ))}
            </ul>
            <Pagination page={page} pages={Math.ceil(offers.total / PAGE)} hrefOf={(to) => managePath(status, to)} />
          </>
        )}
      </section>
      <ProviderWeeks
        title="经营数据"
        note="收入为已到账和保护期内的货款，不含平台佣金"
        figures={[
          ['近 30 日浏览', String(statistics.views30)],
          ['近 30 日订单', String(statistics.orders30)],
          ['近 30 日完成', String(statistics.done30)],
          ['近 30 日取消', String(statistics.cancelled30)],
          ['近 30 日申诉', String(statistics.disputes30)],
          ['近 90 日准时率', rateText(statistics.onTimeRate)],
        ]}
        names={{ orders: '订单' }}
        weeks={statistics.weeks}
      />
      {editing !== null && (
        <OfferDialog
          games={games}
          offer={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
          onDone={done}
        />
      )}
      {profile && <ShopDialog shop={shop} games={coinGames} onClose={() => setProfile(false)} onDone={done} />}
      {hours && (
        <HoursDialog
          title="营业时间"
          hours={shop.hours}
          note="营业时间以外店铺显示为离线，买家仍可下单；承诺的发货时间照常计算。"
          send={(own, options) => call(updateShopQuickCoin, { hours: own }, options)}
          onClose={() => setHours(false)}
          onDone={done}
        />
      )}
      {removing && (
        <ConfirmDialog
          title="删除报价"
          action="删除"
          danger
          question="删除后不能恢复，进行中的订单不受影响。"
          send={(_, options) => change(removing, 'remove', options)}
          onDone={() => {
            setRemoving(null);
            toast(ACTION_DONE.remove, 'ok');
            void revalidate();
          }}
          onClose={() => setRemoving(null)}
        />
      )}
    </div>
  );
}
