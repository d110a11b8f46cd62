import { AuthStatus, CoinOfferStatus } from '#contract/rules/statuses.ts';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import {
  coinRecycleList,
  getRecyclerInfo,
  recyclerApply,
  saveCoinRecycle,
  updateRecycler,
} from '#subjects/recycling/contract/recycling.ts';
import { recyclerStatistics } from '#subjects/recycling/contract/recycler-figures.ts';
import { call } from '#web/lib/api/api.ts';
import type { SendOptions } from '#web/lib/api/mutation.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { market } from '#web/lib/pages/context.ts';
import { grouped } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ApplyForm } from '#subjects/quick-coin/web/parts/coin/apply-form.tsx';
import { Figures, type OfferAction, OwnOfferRow } from '#subjects/quick-coin/web/parts/coin/own-offer-row.tsx';
import { ProviderWeeks, rateText } from '#subjects/quick-coin/web/parts/coin/provider-weeks.tsx';
import { ProfileDialog } from '#subjects/quick-coin/web/parts/coin/profile-dialog.tsx';
import { type Confirmation, ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { fullAt } from '#web/lib/format/times.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { servicePath } from '#subjects/orders/web/parts/order/order-links.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { RecycleDialog, type RecycleOffer } from './recycle-dialog.tsx';

const PAGE = 20;
/** States in which a new application is allowed. */
const MAY_APPLY = ['refused', 'left'];

export const handle = { phone: { refresh: true } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '金币回收商', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, user } = market(args);
  const info = await request(getRecyclerInfo, {});
  const isAdmitted = info.recycler?.status === 'approved';
  const [offers, statistics] = isAdmitted
    ? await Promise.all([request(coinRecycleList, { own: 1, pageSize: PAGE }), request(recyclerStatistics, {})])
    : [null, null];
  return { info, offers, statistics, isVerified: user?.authStatus === AuthStatus.Verified };
}

type Info = Data<typeof getRecyclerInfo>;
type Recycler = NonNullable<Info['recycler']>;

function Head({ recycler, onEdit, onLeave }: { recycler: Recycler; onEdit: () => void; onLeave: () => void }) {
  const figures: [string, React.ReactNode][] = [
    ['在收报价', String(recycler.onSaleNum)],
    ['进行中订单', String(recycler.openNum)],
    ['累计收购', `${grouped(recycler.doneNum)} 单`],
    ['可用余额', <Amount key="balance" yuan={recycler.balance} />],
    ['今日已收', <Amount key="spent" yuan={recycler.daySpent} />],
    ['今日额度', recycler.dayLimit === null ? '暂无' : <Amount key="limit" yuan={recycler.dayLimit} />],
  ];
  return (
    <section className="panel" aria-labelledby="recycler">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3.5">
        <h1 id="recycler" className="text-16 font-semibold">
          {recycler.name}
        </h1>
        <Tag tone="safe">认证回收商</Tag>
        {recycler.hasPending && <Tag tone="attn">资料修改审核中</Tag>}
        <span className="ml-auto flex flex-wrap gap-2">
          <ButtonLink size="sm" to="#figures">
            回收数据
          </ButtonLink>
          <ButtonLink size="sm" to="/center/myself/recharge">
            充值
          </ButtonLink>
          <Button size="sm" onClick={onEdit}>
            修改资料
          </Button>
          <Button size="sm" kind="ghost" onClick={onLeave}>
            退出回收
          </Button>
        </span>
      </div>
      <Figures figures={figures} className="grid-cols-2 sm:grid-cols-3 lg:grid-cols-6" />
      <p className="px-4 pb-2 text-13 text-ink-2">
        回收的游戏：{recycler.games.map(({ name }) => name).join('、') || '还没有选择'}
      </p>
      <p className="px-4 pb-3.5 text-12 text-ink-3">
        卖家一提交，货款就从您的余额进入平台托管；余额不足或当日额度用完时，卖家不能下单。
      </p>
    </section>
  );
}

function OfferRow({
  offer,
  onEdit,
  onAction,
}: {
  offer: RecycleOffer;
  onEdit: () => void;
  onAction: (action: OfferAction) => void;
}) {
  return (
    <OwnOfferRow
      offer={offer}
      regionText={`${offer.gameName} ${offer.areaName}`}
      sn={offer.offerSn}
      amount={`还可收 ${grouped(offer.wantedNum)} 份`}
      amountNote={`${offer.minNum} 份起收`}
      stateName={offer.status === CoinOfferStatus.OnSale ? '收购中' : '已暂停'}
      labels={{ push: '恢复', pull: '暂停' }}
      onEdit={onEdit}
      onAction={onAction}
    />
  );
}

const ACTION_DONE: Readonly<Record<OfferAction, string>> = { push: '已恢复收购', pull: '已暂停收购', remove: '已删除' };

/** An action that needs a confirmation. */
type Asked = Pick<Confirmation, 'title' | 'question' | 'action' | 'send'> & { doneText: string };

function Offers({
  offers,
  onEdit,
  onAction,
}: {
  offers: Data<typeof coinRecycleList>;
  onEdit: (offer: RecycleOffer | 'new') => void;
  onAction: (offer: RecycleOffer, action: OfferAction) => void;
}) {
  const { items, next, busy, error, more } = useCursorList(
    offers,
    async (cursor) => await call(coinRecycleList, { own: 1, pageSize: PAGE, cursor }, { quiet: true }),
    (offer: RecycleOffer) => offer.offerSn,
  );
  return (
    <section className="panel" aria-labelledby="offers">
      <div className="panel-head">
        <h2 id="offers">回收报价</h2>
        <p className="max-md:hidden">改价后，已成交的订单不受影响</p>
        <Link to="/center/buyGoodsOrder" className="hit link ml-auto text-13 max-md:hidden">
          收购订单
        </Link>
        <Button kind="primary" size="sm" className="max-md:ml-auto" onClick={() => onEdit('new')}>
          <Plus className="icon" aria-hidden="true" />
          发布报价
        </Button>
      </div>
      {items.length === 0 ? (
        <EmptyState
          title="还没有回收报价"
          action={
            <Button kind="primary" onClick={() => onEdit('new')}>
              发布第一个报价
            </Button>
          }
        >
          写明每份数量、价格和要收多少份，发布后立刻出现在金币回收页。
        </EmptyState>
      ) : (
        <>
          <ul aria-label="回收报价">
            {items.map((offer) => (
              <OfferRow
                key={offer.offerSn}
                offer={offer}
                onEdit={() => onEdit(offer)}
                onAction={(action) => onAction(offer, action)}
              />
            ))}
          </ul>
          <ListEnd next={next} busy={busy} error={error} onMore={more} />
        </>
      )}
    </section>
  );
}

/** A recycler's bids and purchases, by week. */
function Statistics({ of }: { of: Data<typeof recyclerStatistics> }) {
  return (
    <ProviderWeeks
      title="回收数据"
      note="含账号与金币；准时指您在自动确认之前确认收货"
      names={{ orders: '成交', amount: '收购支出' }}
      figures={[
        ['近 30 日出价', String(of.bids30)],
        ['近 30 日中标', String(of.won30)],
        ['近 30 日成交', String(of.orders30)],
        ['近 30 日完成', String(of.done30)],
        ['近 30 日申诉', String(of.disputes30)],
        ['近 90 日准时率', rateText(of.onTimeRate)],
      ]}
      weeks={of.weeks}
    />
  );
}

const change = (offer: RecycleOffer, action: OfferAction, options: SendOptions) =>
  call(saveCoinRecycle, { offerSn: offer.offerSn, act: action }, options);

function RecyclerPanel({
  info,
  recycler,
  offers,
  statistics,
}: {
  info: Info;
  recycler: Recycler;
  offers: Data<typeof coinRecycleList>;
  statistics: Data<typeof recyclerStatistics>;
}) {
  const { revalidate } = useRevalidator();
  const [editing, setEditing] = useState<RecycleOffer | 'new' | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [profile, setProfile] = useState(false);
  const { send: sendAction } = useMutation(
    async ({ offer, action }: { offer: RecycleOffer; action: OfferAction }, options) =>
      await change(offer, action, options),
    { toasts: true, revalidates: 'always', done: (_, { action }) => toast(ACTION_DONE[action], 'ok') },
  );
  const runAction = (offer: RecycleOffer, action: OfferAction) => {
    if (action !== 'remove') void sendAction({ offer, action });
    else
      setAsked({
        title: '删除报价',
        question: '删除后不能恢复，进行中的订单不受影响。',
        action: '删除',
        send: (_, options) => change(offer, action, options),
        doneText: ACTION_DONE[action],
      });
  };
  return (
    <div className="grid gap-4">
      <Head
        recycler={recycler}
        onEdit={() => setProfile(true)}
        onLeave={() =>
          setAsked({
            title: '退出回收',
            question: '退出后全部报价暂停；再次回收需要重新申请。',
            action: '确认退出',
            send: (_, options) => call(updateRecycler, { act: 'leave' }, options),
            doneText: '已退出回收',
          })
        }
      />
      <Offers offers={offers} onEdit={setEditing} onAction={runAction} />
      <Statistics of={statistics} />
      {editing !== null && (
        <RecycleDialog
          info={info}
          offer={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
          onDone={() => {
            setEditing(null);
            void revalidate();
          }}
        />
      )}
      {profile && (
        <ProfileDialog
          title="回收商资料"
          labels={{ name: '回收商名称', games: '回收的游戏' }}
          record={recycler}
          games={info.coinGames}
          send={(change, _, options) => call(updateRecycler, change, options)}
          onClose={() => setProfile(false)}
          onDone={() => {
            setProfile(false);
            void revalidate();
          }}
        />
      )}
      {asked && (
        <ConfirmDialog
          {...asked}
          danger
          onDone={() => {
            setAsked(null);
            toast(asked.doneText, 'ok');
            void revalidate();
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  );
}

function Application({ info, isVerified }: { info: Info; isVerified: boolean }) {
  const { recycler, coinGames } = info;
  if (recycler?.status === 'reviewing')
    return (
      <EmptyState title="申请审核中">
        {fullAt(recycler.createTime)} 提交，通常 1 个工作日内有结果。通过后就在这里发布回收报价。
      </EmptyState>
    );
  if (recycler && !MAY_APPLY.includes(recycler.status))
    return (
      <EmptyState
        title="回收资格已被暂停"
        action={<ButtonLink to={servicePath({ goodsSn: null })}>联系客服</ButtonLink>}
      >
        {recycler.reviewNote ?? '请联系客服了解原因。'}
      </EmptyState>
    );
  if (!isVerified)
    return (
      <EmptyState
        title="先完成实名认证"
        action={
          <ButtonLink kind="primary" to="/center/myself/identityAuthentication?returnUrl=%2Fcenter%2Frecycler">
            去实名认证
          </ButtonLink>
        }
      >
        回收金币需要已成年的实名用户。
      </EmptyState>
    );
  return (
    <ApplyForm
      former={recycler}
      games={coinGames}
      labels={{ name: '回收商名称', games: '回收的游戏', intro: '收货时间、到账速度；不要留联系方式。' }}
      foot="缴足回收商保证金并通过审核后可发布回收报价，货款从您的余额预付到平台托管。"
      send={(form, options) => call(recyclerApply, form, options)}
    />
  );
}

/** The recycler's page: the application, and once admitted the standing offers with their actions. */
export default function RecyclerPage() {
  const { info, offers, statistics, isVerified } = useLoaderData<typeof loader>();
  if (info.recycler && offers && statistics)
    return <RecyclerPanel info={info} recycler={info.recycler} offers={offers} statistics={statistics} />;
  return (
    <section className="panel" aria-labelledby="apply">
      <div className="panel-head">
        <h1 id="apply" className="text-16 font-semibold">
          申请成为金币回收商
        </h1>
        <p className="max-md:hidden">按自己的报价收游戏币，先付到平台托管，收到货再放款</p>
        <Link to="/wares/goldRecycling" className="hit link ml-auto text-13">
          看看别人收多少
        </Link>
      </div>
      <Application info={info} isVerified={isVerified} />
    </section>
  );
}
