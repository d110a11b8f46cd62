import { Eye, Heart } from 'lucide-react';
import { useState } from 'react';
import { Link, useLoaderData, useRevalidator } from 'react-router';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { type OfferFees } from '../../rules/listing-states.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ListFinder } from '#web/parts/search/list-finder.tsx';
import { GoodsSummary } from '#subjects/orders/web/parts/order/goods-line.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { ListBody } from '#web/ui/lists/list-body.tsx';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { Pagination } from '#web/ui/lists/pagination.tsx';
import { Amount, Price } from '#web/ui/price.tsx';
import { EmptyState, ErrorState } from '#web/ui/states.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { BulkBar, isSelectable } from './bulk.tsx';
import { GoodsActions } from './goods-actions.tsx';
import {
  GOODS_PAGE,
  GOODS_TABS,
  type GoodsData,
  goodsListPath,
  type loader as goodsLoader,
  type OwnGoods,
} from './goods-loader.ts';

export const handle = { phone: { refresh: true } };

export { loader } from './goods-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '我的商品', noindex: true });
}

const COLUMNS =
  'md:grid-cols-[20px_minmax(0,1fr)_100px_104px_140px] xl:grid-cols-[20px_minmax(0,1fr)_116px_132px_176px]';

function Tabs({ data }: { data: GoodsData }) {
  const { state, result } = data;
  const counts = result.ok ? result.data.counts : {};
  return (
    <LinkTabs
      label="商品状态"
      items={GOODS_TABS.map((tab) => ({ ...tab, count: counts[tab.status === null ? 'all' : String(tab.status)] ?? 0 }))
        .filter(({ status, always, count }) => always || count > 0 || state.status === status)
        .map(({ status, label, count }) => ({
          key: label,
          label,
          to: goodsListPath({ status, keyWord: state.keyWord }),
          isCurrent: state.status === status,
          count,
        }))}
    />
  );
}

const DOTS: Readonly<Record<number, string>> = {
  [GoodsStatus.OnSale]: 'dot-on',
  [GoodsStatus.Sold]: 'dot-on',
  [GoodsStatus.Reviewing]: 'dot-attn',
  [GoodsStatus.Rejected]: 'dot-attn',
  [GoodsStatus.Locked]: 'dot-attn',
} satisfies Partial<Record<GoodsStatus, string>>;

/** Short explanation of the state for the seller. */
function stateNote(goods: OwnGoods): string | null {
  switch (goods.status) {
    case GoodsStatus.Reviewing:
      return '通过后自动上架';
    case GoodsStatus.Locked:
      return '买家已下单';
    case GoodsStatus.Hidden:
      return '久未登录，自动隐藏';
    default:
      return null;
  }
}

function State({ goods }: { goods: OwnGoods }) {
  const note = stateNote(goods);
  return (
    <span className="grid gap-0.5 text-13">
      <span className="inline-flex items-center gap-2 whitespace-nowrap">
        <i className={cx('dot', DOTS[goods.status])} aria-hidden="true" />
        {goods.statusName}
      </span>
      <span className="flex flex-wrap gap-x-3 pl-3.5 text-12 text-ink-3">
        {note ??
          (goods.status === GoodsStatus.OnSale ? (
            <>
              <span className="inline-flex items-center gap-1" title="浏览">
                <Eye className="icon size-3.5" aria-label="浏览" />
                {goods.views}
              </span>
              <span className="inline-flex items-center gap-1" title="收藏">
                <Heart className="icon size-3.5" aria-label="收藏" />
                {goods.follows}
              </span>
            </>
          ) : null)}
      </span>
    </span>
  );
}

function Row({
  goods,
  fees,
  chosen,
  onChoose,
}: {
  goods: OwnGoods;
  fees: OfferFees;
  chosen: boolean;
  onChoose: (chosen: boolean) => void;
}) {
  const isPublic = goods.status === GoodsStatus.OnSale || goods.status === GoodsStatus.Locked;
  return (
    <li
      className={cx(
        'grid grid-cols-[20px_minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 border-b border-line-soft px-4 py-3 last:border-b-0',
        COLUMNS,
      )}
    >
      <input
        type="checkbox"
        className="checkbox"
        aria-label={`选择${goods.bigTitle}`}
        checked={chosen}
        disabled={!isSelectable(goods)}
        onChange={(event) => onChoose(event.target.checked)}
      />
      <GoodsSummary
        title={goods.bigTitle}
        gameName={goods.gameName}
        typeId={goods.goodsTypeId}
        typeName={goods.goodsTypeStr}
        thumbnail={goods.thumbnail}
        seed={goods.goodsSn}
        to={isPublic ? goods.pageUrl : undefined}
        className="max-md:col-span-2"
      >
        <p className="flex flex-wrap gap-x-3 text-12 text-ink-3">
          <span>{goods.goodsSn}</span>
          {goods.areaText && <span>{goods.areaText}</span>}
          {goods.stock > 1 && <span>库存 {goods.stock}</span>}
          {goods.bargainOpen && <span>可议价</span>}
          {goods.status === GoodsStatus.OnSale && accountTypes.includes(goods.goodsTypeId) && (
            <Link to={`/center/inspections?goods=${goods.goodsSn}`} className="link">
              验号
            </Link>
          )}
          <span>
            <TimeLabel at={goods.status === GoodsStatus.OnSale ? goods.refreshTime : goods.createTime} />
            {goods.status === GoodsStatus.OnSale ? '刷新' : '发布'}
          </span>
        </p>
      </GoodsSummary>
      <span className="grid gap-0.5 max-md:order-2 max-md:col-start-3 max-md:justify-items-end">
        <Price yuan={goods.price} />
        <span className="text-12 text-ink-3">
          到手 <Amount yuan={goods.net} />
        </span>
      </span>
      <span className="max-md:order-1 max-md:col-start-2">
        <State goods={goods} />
      </span>
      <span className="justify-self-end max-md:order-4 max-md:col-span-3">
        <GoodsActions goods={goods} fees={fees} />
      </span>
      {goods.reviewNote && (
        <p className="col-span-full rounded-control bg-danger-bg px-3 py-2 text-12 text-ink-2 max-md:order-3">
          <b className="font-semibold text-danger">未通过原因：</b>
          {goods.reviewNote}
        </p>
      )}
    </li>
  );
}

function List({ data }: { data: GoodsData }) {
  const { state, result, fees } = data;
  const { revalidate } = useRevalidator();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  if (!result.ok) return <ErrorState message={result.msg} onRetry={() => void revalidate()} />;
  if (result.data.list.length > 0) {
    const able = result.data.list.filter(isSelectable);
    const picked = able.filter(({ goodsSn }) => chosen.has(goodsSn));
    const choose = (goodsSn: string, on: boolean) =>
      setChosen((before) => new Set(on ? [...before, goodsSn] : [...before].filter((sn) => sn !== goodsSn)));
    return (
      <>
        <div
          className={cx(
            'grid h-9 grid-cols-[20px_1fr] items-center gap-x-4 border-b border-line-soft px-4 text-12 text-ink-3 max-md:*:nth-[n+3]:hidden',
            COLUMNS,
          )}
        >
          <input
            type="checkbox"
            className="checkbox"
            aria-label="选择本页全部商品"
            disabled={able.length === 0}
            checked={able.length > 0 && picked.length === able.length}
            ref={(box) => {
              if (box) box.indeterminate = picked.length > 0 && picked.length < able.length;
            }}
            onChange={(event) => setChosen(new Set(event.target.checked ? able.map(({ goodsSn }) => goodsSn) : []))}
          />
          <span>
            <span className="max-md:hidden">商品</span>
            <span className="md:hidden">全选本页</span>
          </span>
          <span>标价</span>
          <span>状态</span>
          <span className="text-right">操作</span>
        </div>
        <ul aria-label="我的商品">
          {result.data.list.map((goods) => (
            <Row
              key={goods.goodsSn}
              goods={goods}
              fees={fees}
              chosen={chosen.has(goods.goodsSn)}
              onChoose={(on) => choose(goods.goodsSn, on)}
            />
          ))}
        </ul>
        <Pagination
          page={state.page}
          pages={Math.ceil(result.data.total / GOODS_PAGE)}
          hrefOf={(page) => goodsListPath({ ...state, page })}
        />
        <BulkBar chosen={picked} onClear={() => setChosen(new Set())} />
      </>
    );
  }
  if (result.data.total > 0)
    return (
      <EmptyState
        title="这一页已经没有商品"
        action={<ButtonLink to={goodsListPath({ ...state, page: 1 })}>回到第一页</ButtonLink>}
      />
    );
  if (state.status !== null || state.keyWord !== '')
    return (
      <EmptyState title="没有符合条件的商品" action={<ButtonLink to="/center/sellOutGoods">查看全部商品</ButtonLink>} />
    );
  return (
    <EmptyState
      title="还没有发布商品"
      action={
        <ButtonLink to="/center/sell" kind="primary">
          发布商品
        </ButtonLink>
      }
    >
      选择游戏、填写属性、上传图片，平台审核通过后自动上架。
    </EmptyState>
  );
}

/** The seller's listings by state, each with its actions. */
export default function SellerGoods() {
  const data = useLoaderData<typeof goodsLoader>();
  const isEmpty = data.result.ok && data.result.data.counts.all === 0 && data.state.keyWord === '';
  return (
    <section className="panel" aria-labelledby="goods">
      <div className="panel-head flex-wrap py-2">
        <h1 id="goods" className="text-16 font-semibold">
          我的商品
        </h1>
        <span className="ml-auto flex flex-wrap items-center gap-2 max-md:w-full">
          <ListFinder
            label="搜索我的商品"
            placeholder="商品编号、标题"
            keyWord={data.state.keyWord}
            status={data.state.status}
          />
          {!isEmpty && (
            <ButtonLink to="/center/goodsGrid" size="sm">
              批量编辑
            </ButtonLink>
          )}
          <ButtonLink to="/center/goodsImport" size="sm">
            表格导入
          </ButtonLink>
          {!isEmpty && (
            <ButtonLink to="/center/sell" kind="primary" size="sm" className="max-md:hidden">
              发布商品
            </ButtonLink>
          )}
        </span>
      </div>
      <Tabs data={data} />
      <ListBody path="/center/sellOutGoods">
        <List key={goodsListPath(data.state)} data={data} />
      </ListBody>
    </section>
  );
}
