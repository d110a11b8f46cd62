import { durationText, grouped } from '#web/lib/format/format.ts';
import { Link } from 'react-router';
import { Avatar } from '#web/ui/avatar.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { GameName, GoodsPicture, inspectedText } from '#web/parts/goods/goods-parts.tsx';
import { Amount, Price } from '#web/ui/price.tsx';
import { AdvertLink } from '#web/parts/adverts/reminder.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import type { HomeData } from './loader.ts';

/** With fewer completed orders in thirty days a rate is meaningless, and a new market would look empty. */
const MIN_DEALS = 30;

interface Figure {
  label: string;
  value: string;
  unit: string;
  note: string;
}

/** The market's figures with their basis; none while there is too little to count. */
function figuresOf(counts: NonNullable<HomeData['counts']>): Figure[] {
  const { deals30, disputeRate30, averageShipMinutes, claimsPaid } = counts;
  if (deals30 < MIN_DEALS) return [];
  const base = `近 30 日 ${grouped(deals30)} 单`;
  const [minutes = '', unit = ''] = durationText(averageShipMinutes ?? 0).split(' ');
  return [
    ...(averageShipMinutes === null ? [] : [{ label: '付款到交付，平均', value: minutes, unit, note: base }]),
    { label: '发生申诉', value: disputeRate30.toFixed(2), unit: '%', note: '近 30 日付款订单' },
    { label: '成交', value: grouped(deals30), unit: '单', note: '近 30 日，只计已完成' },
    ...(claimsPaid === 0
      ? []
      : [{ label: '找回赔付', value: grouped(claimsPaid), unit: '笔', note: '累计，逐笔公示' }]),
  ];
}

/** The market's figures, from its own counts: a row across the page, or beside the banner. */
export function Stats({ counts, inRow = false }: { counts: NonNullable<HomeData['counts']>; inRow?: boolean }) {
  const figures = figuresOf(counts);
  if (figures.length === 0) return null;
  return (
    <dl className={inRow ? 'stats stats-row panel mt-4 max-md:mt-3' : 'stats'}>
      {figures.map(({ label, value, unit, note }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {value}
            <small>{unit}</small>
          </dd>
          <dd className="stats-note">{note}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The latest inspected accounts with a typical price; below them the notices. */
export function FreshAside({ data }: { data: HomeData }) {
  return (
    <aside className="panel flex flex-col overflow-hidden max-md:hidden" aria-label="刚验完的号">
      <div className="panel-head">
        <h2>刚验完的号</h2>
      </div>
      <ul>
        {data.fresh.map((goods) => (
          <li
            key={goods.goodsSn}
            className="relative grid grid-cols-[104px_1fr] gap-3 border-b border-line-soft px-4 py-2.5 last:border-b-0 hover:bg-hover"
          >
            <GoodsPicture goods={{ ...goods, pictureNum: 0 }} width={104} height={68} eager />
            <span className="min-w-0 text-13 leading-[1.125rem]">
              <Link to={goods.pageUrl} className="stretched line-clamp-2">
                <GameName name={goods.gameName} title={goods.bigTitle} className="mr-1 font-semibold" />
                {goods.bigTitle}
              </Link>
              <span className="mt-1 flex items-baseline justify-between gap-2">
                <span className="text-12 text-safe">{inspectedText(goods.inspectedTime)}</span>
                <Price yuan={goods.allInPrice} size="sm" />
              </span>
            </span>
          </li>
        ))}
      </ul>
      <Notices data={data} />
    </aside>
  );
}

/** The market's notices and the distributor's adverts; without either, the most important safety rule. */
function Notices({ data }: { data: HomeData }) {
  const { notices, adverts } = data;
  if (notices.length === 0 && adverts.length === 0) {
    return (
      <p className="mt-auto px-4 py-3 text-12 leading-5 text-ink-3">
        客服不会主动加您好友，也不会要求站外付款；先付款到托管，再交接账号。
      </p>
    );
  }
  return (
    <ul className="mt-auto border-t border-line-soft px-4 py-2.5 text-13">
      {notices.map(({ to, title, time }) => (
        <li key={to} className="flex items-baseline gap-2 leading-[1.625rem]">
          <Link to={to} className="truncate hover:text-link">
            {title}
          </Link>
          <TimeLabel at={time} className="ml-auto flex-none text-12 text-ink-3" />
        </li>
      ))}
      {adverts.slice(0, Math.max(1, 3 - notices.length)).map((advert) => (
        <li key={advert.title} className="flex items-baseline gap-2 leading-[1.625rem]">
          {advert.smalltitle && <span className="flex-none text-12 text-brand-700">{advert.smalltitle}</span>}
          <AdvertLink advert={advert} className="truncate hover:text-link">
            {advert.title}
          </AdvertLink>
        </li>
      ))}
    </ul>
  );
}

/** The panel next to the banner: the user and their orders, or the log-in; the market's figures; its notices. */
export function VisitorAside({ data }: { data: HomeData }) {
  const { me, counts, login } = data;
  return (
    <aside className="panel flex flex-col overflow-hidden max-md:hidden" aria-label="我的与站点统计">
      {me ? (
        <div className="flex items-center gap-3 border-b border-line-soft px-4 py-3.5">
          <Avatar name={me.nickName} src={me.avatar} />
          <span className="min-w-0">
            <b className="block truncate font-semibold">{me.nickName}</b>
            <span className="text-12 text-ink-3">
              可用余额 <Amount yuan={me.coin} />
            </span>
          </span>
          <ButtonLink to="/center/buyGoodsOrder" size="sm" className="ml-auto">
            我的订单
          </ButtonLink>
        </div>
      ) : (
        <div className="border-b border-line-soft px-4 py-3.5">
          <p className="text-13 text-ink-2">登录后可收藏、议价、查看订单</p>
          <p className="mt-2 grid grid-cols-2 gap-2">
            <ButtonLink to={login} kind="primary">
              登录
            </ButtonLink>
            <ButtonLink to="/register">免费注册</ButtonLink>
          </p>
        </div>
      )}
      {counts && <Stats counts={counts} />}
      <Notices data={data} />
    </aside>
  );
}
