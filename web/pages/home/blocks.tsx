import { ChevronRight, Coins, RotateCcw, Scale, ShoppingBag, Tag, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { fullTime } from '#contract/rules/time/time-label.ts';
import { grouped } from '#web/lib/format/format.ts';
import { EMPTY_SEARCH, searchPath } from '#web/lib/lists/search-state.ts';
import { GameTile } from '#subjects/goods/web/parts/cover/cover.tsx';
import { GoodsTile } from '#web/parts/goods/goods-card.tsx';
import { Price } from '#web/ui/price.tsx';
import type { HomeData } from './loader.ts';

const MODE_ICONS: Readonly<Record<string, typeof Tag>> = {
  buy: ShoppingBag,
  sell: Tag,
  recycle: RotateCcw,
  value: Scale,
  middle: Users,
  coin: Coins,
};

/** Number of tiles whose pictures load eagerly: on a phone they are the largest element of the first screen. */
const EAGER = 2;
/** Cards of a row on a wide screen. */
const PER_ROW = 5;

/** The ways to trade, limited to those whose page exists. */
export function Modes({ modes }: { modes: HomeData['modes'] }) {
  return (
    <nav className="modes" aria-label="交易方式">
      {modes.map(({ icon, label, to, note }) => {
        const Icon = MODE_ICONS[icon] ?? Tag;
        return (
          <Link key={to} to={to}>
            <Icon className="icon" strokeWidth={1.6} aria-hidden="true" />
            <b>{label}</b>
            <span>{note}</span>
          </Link>
        );
      })}
    </nav>
  );
}

/** The latest completed sales on one line. It does not scroll automatically. */
export function Ticker({ sales, today }: { sales: HomeData['sales']; today: number | null }) {
  if (sales.length === 0) return null;
  return (
    <section className="panel ticker mt-4 max-md:mt-3" aria-label="实时成交">
      <b className="flex flex-none items-center gap-2 pr-4 font-semibold">
        <i className="dot dot-on" aria-hidden="true" />
        实时成交
      </b>
      <ul tabIndex={0} aria-label="最新成交">
        {sales.map((sale) => (
          <li key={`${sale.dealTime}${sale.title}${sale.price}`}>
            <time dateTime={sale.dealTime} className="text-12 text-ink-3">
              {fullTime(Date.parse(sale.dealTime)).slice(11)}
            </time>
            {!sale.title.startsWith(sale.gameName) && sale.gameName}
            <span className="max-w-48 truncate text-12 text-ink-3">{sale.title}</span>
            <Price yuan={sale.price} size="sm" />
          </li>
        ))}
      </ul>
      {today !== null && (
        <span className="flex-none pl-4 text-12 text-ink-3 max-md:hidden">今日 {grouped(today)} 单</span>
      )}
    </section>
  );
}

/** The most traded games, with the number of listings of each. */
export function HotGames({ games }: { games: HomeData['games'] }) {
  if (games.length === 0) return null;
  return (
    <section aria-labelledby="hot-games">
      <div className="section-head">
        <h2 id="hot-games">热门游戏</h2>
        <p>按成交热度排序，数字为在售件数</p>
        <Link to="/allgame" className="more">
          全部游戏
          <ChevronRight className="icon size-3.5" aria-hidden="true" />
        </Link>
      </div>
      <div className="panel games">
        {games.map((game) => (
          <Link key={game.id} to={searchPath({ ...EMPTY_SEARCH, game })}>
            <GameTile name={game.name} hue={game.hue} icon={game.icon} size={64} className="max-md:size-13!" />
            <b>{game.name}</b>
            <span>{grouped(game.onSale)}</span>
          </Link>
        ))}
      </div>
    </section>
  );
}

/** Listings as cards under a heading; nothing when empty. */
export function GoodsStorefront({
  id,
  title,
  note,
  goods,
  moreTo = '/wares',
  withGame = true,
  perRow = PER_ROW,
}: {
  id: string;
  title: ReactNode;
  note: string;
  goods: HomeData['fair'];
  moreTo?: string;
  withGame?: boolean;
  perRow?: number;
}) {
  if (goods.length === 0) return null;
  // Incomplete rows are cut, except a single one.
  const visible = goods.length > perRow ? goods.slice(0, goods.length - (goods.length % perRow)) : goods;
  return (
    <section aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>{title}</h2>
        <p>{note}</p>
        <Link to={moreTo} className="more">
          更多
          <ChevronRight className="icon size-3.5" aria-hidden="true" />
        </Link>
      </div>
      <ul className="card-grid home-shelf">
        {visible.map((item, index) => (
          <GoodsTile key={item.goodsSn} goods={item} withGame={withGame} eager={index < EAGER} />
        ))}
      </ul>
    </section>
  );
}
