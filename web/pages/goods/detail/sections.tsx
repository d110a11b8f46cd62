import { Info, UserRound } from 'lucide-react';
import { Link } from 'react-router';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { fullTime } from '#contract/rules/time-label.ts';
import { durationText, grouped } from '#web/lib/format.ts';
import { lazyWithRetry } from '#web/lib/lazy.tsx';
import { GoodsPicture } from '#web/parts/goods-parts.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Price } from '#web/ui/price.tsx';
import { Stepper } from '#web/ui/stepper.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import type { DetailData } from './loader.ts';

type Goods = DetailData['goods'];

/** Below the fold; the list under it says the same in numbers. The placeholder has the chart's own height. */
const SalesChart = lazyWithRetry(
  () => import('./sales-chart.tsx'),
  <div className="sales-chart" aria-hidden="true">
    <svg viewBox="0 0 280 96" />
    <p className="mt-1.5 text-12">&nbsp;</p>
  </div>,
);
/** Proof and re-inspection: nothing of it is in the first view. */
const InspectionMore = lazyWithRetry(() => import('./inspection-more.tsx'), null);
/** Fewer dots draw no picture of a market. */
const MIN_DOTS = 6;

const DAY_MINUTES = 24 * 60;

const ACTORS = { seller: '卖家', buyer: '您', staff: '客服' } as const;

const isAccount = (goods: Goods): boolean => accountTypes.includes(goods.goodsTypeId);

/** A section of the page that the anchors link to. */
export interface Section {
  id: string;
  label: string;
}

/** Sections that have content for this listing. */
export function sectionsOf(goods: Goods): Section[] {
  return [
    { id: 'inspection', label: goods.inspection.length > 0 ? '验号记录' : isAccount(goods) ? '账号信息' : '商品信息' },
    ...(goods.history.length > 0 ? [{ id: 'passport', label: '账号履历' }] : []),
    { id: 'description', label: '商品描述' },
    ...(goods.handover.length > 0 ? [{ id: 'handover', label: '交付步骤' }] : []),
    { id: 'questions', label: '问答' },
  ];
}

/** Attributes verified by staff or from the game's own page, each with source and time; then those stated by the seller. */
export function Inspection({ goods, sections }: { goods: Goods; sections: readonly Section[] }) {
  const read = new Set(goods.inspection.map(({ label }) => label));
  const stated = goods.attrs.filter(({ label }) => !read.has(label));
  return (
    <section className="panel" id="inspection">
      <nav className="tabs" aria-label="商品信息">
        {sections.map(({ id, label }, index) => (
          <a key={id} href={`#${id}`} className="tab" aria-current={index === 0 || undefined}>
            {label}
          </a>
        ))}
      </nav>
      {goods.inspection.length > 0 && (
        <>
          <dl className="facts">
            {goods.inspection.map(({ label, value, said, reader, readTime }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  {value}
                  {said && <span className="ml-2 text-12 font-normal text-attn">卖家填 {said}</span>}
                </dd>
                <dd className="fact-source" title={fullTime(Date.parse(readTime))}>
                  {reader} <time dateTime={readTime}>{fullTime(Date.parse(readTime)).slice(5)}</time>
                </dd>
              </div>
            ))}
          </dl>
          <p className="flex items-center gap-2 border-t border-line-soft bg-sunken px-4 py-2.5 text-12 text-ink-3 last:rounded-b-card">
            <Info className="icon size-3.5" aria-hidden="true" />
            读数与收到时不符，可凭本表申诉
          </p>
        </>
      )}
      {stated.length > 0 && (
        <>
          <h2 className="px-4 pt-3 pb-1 text-12 text-ink-3">
            {goods.inspection.length > 0
              ? '卖家填写，未经读取'
              : isAccount(goods)
                ? '卖家填写，未经平台验号'
                : '卖家填写'}
          </h2>
          <dl className="facts">
            {stated.map(({ key, label, value }) => (
              <div key={key}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {goods.inspection.length === 0 && stated.length === 0 && (
        <p className="p-4 text-13 text-ink-3">卖家没有填写更多信息。</p>
      )}
      {isAccount(goods) && (goods.isMine || goods.inspection.length > 0) && <InspectionMore goodsSn={goods.goodsSn} />}
    </section>
  );
}

/** The history of the same game account on this site. */
export function Passport({ goods }: { goods: Goods }) {
  if (goods.history.length === 0) return null;
  return (
    <section className="panel" id="passport">
      <div className="panel-head">
        <h2>账号履历</h2>
        <p>同一账号在本站的全部记录，按加密指纹归并</p>
      </div>
      <ol className="passport">
        {goods.history.map(({ kind, text, time }) => (
          <li key={`${kind}${time}`} className={cx(kind === 'sold' && 'passport-sold')}>
            <b>{text}</b>
            <time dateTime={time}>{fullTime(Date.parse(time)).slice(0, 10)}</time>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The seller's description, labelled as such. */
export function Description({ goods }: { goods: Goods }) {
  return (
    <section className="panel" id="description">
      <div className="panel-head">
        <h2>商品描述</h2>
      </div>
      <div className="p-4 leading-6 text-ink-2">
        <p className="mb-2 inline-flex h-6 items-center gap-1.5 rounded-[4px] bg-attn-bg px-2 text-12 text-attn">
          <UserRound className="icon size-3.5" aria-hidden="true" />
          以下为卖家自述，平台未核实
        </p>
        <p className="whitespace-pre-line">{goods.description || '卖家没有写描述，以验号记录和图片为准。'}</p>
        {goods.source && <p className="mt-2 text-13 text-ink-3">账号来源：{goods.source}</p>}
      </div>
    </section>
  );
}

/** The hand-over of the account: each step with its actor and duration. */
export function Handover({ goods }: { goods: Goods }) {
  const { handover } = goods;
  if (handover.length === 0) return null;
  // A step of a day or more is inspection time, not work.
  const minutes = handover.filter((step) => step.minutes < DAY_MINUTES).reduce((sum, step) => sum + step.minutes, 0);
  const steps = [
    { title: '付款到托管', state: 'plan' as const, note: '平台记账，群聊开通，即时' },
    ...handover.map((step) => ({
      title: step.title,
      state: 'plan' as const,
      note: (
        <>
          {ACTORS[step.actor]}操作，{durationText(step.minutes)}内{!step.required && '，可选'}
          <span className="block text-ink-3">{step.explain}</span>
        </>
      ),
    })),
  ];
  return (
    <section className="panel" id="handover">
      <div className="panel-head">
        <h2>交付步骤</h2>
        <p>
          {goods.gameName}
          {isAccount(goods) ? '换绑流程' : '交付流程'}
        </p>
        <span className="more">约 {durationText(minutes)}</span>
      </div>
      <div className={cx('handover p-4', steps.length % 4 === 1 && 'handover-5')}>
        <Stepper steps={steps} label="交付步骤" />
      </div>
      {goods.ruledOut.length > 0 && (
        <ul className="border-t border-line-soft px-4 py-2.5 text-12 text-ink-3" aria-label="本号不做的步骤">
          {goods.ruledOut.map(({ key, title, reason }) => (
            <li key={key} className="flex items-center gap-2 py-0.5">
              <span
                className="grid size-4 flex-none place-items-center rounded-full border border-dashed border-line-strong"
                aria-hidden="true"
              >
                –
              </span>
              {title}：{reason}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The seller with their track record. */
export function SellerCard({ data }: { data: DetailData }) {
  const { seller, isMine } = data.goods;
  const figures: readonly [string, string | null][] = [
    ['成交', `${grouped(seller.soldNum)} 单`],
    ['好评', seller.goodRate === null ? null : `${rate(seller.goodRate)}%`],
    ['等级', seller.levelName],
    ['在售', seller.onSaleNum === undefined ? null : `${grouped(seller.onSaleNum)} 件`],
  ];
  return (
    <section className="panel p-4" aria-label="卖家">
      <div className="flex items-center gap-3">
        <Avatar name={seller.nickName} src={seller.avatar} size={44} />
        <div className="min-w-0">
          <b className="block truncate font-semibold">{seller.nickName}</b>
          <span className="flex items-center gap-1.5 text-12 text-ink-3">
            <i className={cx('dot', seller.online && 'dot-on')} aria-hidden="true" />
            <span>
              {seller.online ? '在线' : <TimeLabel at={seller.lastSeenTime} />}
              {seller.joinTime && ` · ${fullTime(Date.parse(seller.joinTime)).slice(0, 4)} 年加入`}
            </span>
          </span>
        </div>
      </div>
      <dl className="my-4 grid grid-cols-2 gap-x-3 gap-y-2 text-13">
        {figures.map(
          ([label, value]) =>
            value && (
              <div key={label}>
                <dt className="text-12 text-ink-3">{label}</dt>
                <dd className="font-semibold">{value}</dd>
              </div>
            ),
        )}
      </dl>
      {seller.levelNote && <p className="-mt-2 mb-4 text-12 text-ink-3">{seller.levelNote}</p>}
      <ButtonLink to={`/seller/${seller.sellerId}`} className="mb-2 w-full">
        卖家主页与评价
      </ButtonLink>
      <ButtonLink to={data.sellerList} className="w-full">
        {isMine ? '看我在售的商品' : '看 TA 在售的商品'}
      </ButtonLink>
    </section>
  );
}

/** A rate with at most one decimal: 99.6, 100. */
export function rate(value: number): string {
  return String(Number(value.toFixed(1)));
}

/** Recent prices of comparable sales. */
export function Comparables({ goods }: { goods: Goods }) {
  if (goods.comparables.length === 0) return null;
  return (
    <section className="panel" aria-label="同类成交">
      <div className="panel-head">
        <h2>同类成交</h2>
        {goods.band && <span className="more">{grouped(goods.band.samples)} 件</span>}
      </div>
      {goods.sales.length >= MIN_DOTS && <SalesChart goods={goods} />}
      <ul>
        {goods.comparables.map(({ title, price, dealTime }) => (
          <li
            key={`${title}${dealTime}`}
            className="grid min-h-10 grid-cols-[44px_1fr_auto] items-center gap-1 border-b border-line-soft px-4 py-1.5 text-12 last:border-b-0"
          >
            <time dateTime={dealTime} className="text-ink-3">
              {fullTime(Date.parse(dealTime)).slice(5, 10)}
            </time>
            <span className="truncate" title={title}>
              {title}
            </span>
            <Price yuan={price} size="sm" />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Similar goods on sale. */
export function Similar({ data }: { data: DetailData }) {
  if (data.similar.length === 0) return null;
  return (
    <section className="panel" aria-label="相似商品">
      <div className="panel-head">
        <h2>相似商品</h2>
        <Link to={data.gameList} className="more">
          更多
        </Link>
      </div>
      <ul>
        {data.similar.map((goods) => (
          <li
            key={goods.goodsSn}
            className="relative grid grid-cols-[84px_1fr] gap-3 border-b border-line-soft px-4 py-3 last:border-b-0 hover:bg-hover"
          >
            <GoodsPicture goods={{ ...goods, pictureNum: 0 }} width={84} height={58} />
            <div className="min-w-0 text-13 leading-[18px]">
              <Link to={goods.pageUrl} className="stretched line-clamp-1">
                {goods.bigTitle}
              </Link>
              <p className="truncate text-12 text-ink-3">
                {goods.chips.map(({ label, value }) => `${label} ${value}`).join(' · ')}
              </p>
              <Price yuan={goods.allInPrice} size="sm" />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
