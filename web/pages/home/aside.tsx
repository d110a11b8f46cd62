import { yuanInTenThousands, durationText, grouped } from '#web/lib/format.ts';
import { Link } from 'react-router';
import { Avatar } from '#web/ui/avatar.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { AdvertLink } from '#web/parts/reminder.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import type { HomeData } from './loader.ts';

/** The market's figures, from its own counts. */
export function Stats({ counts, inRow = false }: { counts: NonNullable<HomeData['counts']>; inRow?: boolean }) {
  const [escrow, unit] = yuanInTenThousands(counts.escrowTotal);
  const figures: readonly [label: string, value: string, unit: string][] = [
    ['托管中的货款', `¥${escrow}`, unit],
    ['近 30 日申诉率', counts.disputeRate30.toFixed(2), '%'],
    ...(counts.averageShipMinutes === null ? [] : [splitDuration(counts.averageShipMinutes)]),
    ['累计赔付', grouped(counts.claimsPaid), '笔'],
    ...(counts.averageShipMinutes === null
      ? [['今日成交', grouped(counts.dealsToday), '单'] as [string, string, string]]
      : []),
  ];
  const visible = inRow ? [figures[0], figures[2], figures[3]] : figures;
  return (
    <dl className={inRow ? 'stats stats-row panel mt-3 md:hidden' : 'stats'}>
      {visible.map(
        (figure) =>
          figure && (
            <div key={figure[0]}>
              <dt>{figure[0]}</dt>
              <dd>
                {figure[1]}
                <small>{figure[2]}</small>
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}

function splitDuration(minutes: number): [string, string, string] {
  const [value = '', unit = ''] = durationText(minutes).split(' ');
  return ['账号平均交付', value, unit];
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
    <ul className="mt-auto px-4 py-2.5 text-13">
      {notices.map(({ to, title, time }) => (
        <li key={to} className="flex items-baseline gap-2 leading-[26px]">
          <Link to={to} className="truncate hover:text-link">
            {title}
          </Link>
          <TimeLabel at={time} className="ml-auto flex-none text-12 text-ink-3" />
        </li>
      ))}
      {adverts.slice(0, Math.max(1, 3 - notices.length)).map((advert) => (
        <li key={advert.title} className="flex items-baseline gap-2 leading-[26px]">
          {advert.smalltitle && <span className="flex-none text-12 text-brand-700">{advert.smalltitle}</span>}
          <AdvertLink advert={advert} className="truncate hover:text-link">
            {advert.title}
          </AdvertLink>
        </li>
      ))}
    </ul>
  );
}

/** The panel beside the banner: the user and their orders, or the log-in; the market's figures; its notices. */
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
