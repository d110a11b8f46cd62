import { ChevronRight, Coins, Gamepad2, RotateCcw, Scale, ShoppingBag, Tag, Users } from 'lucide-react';
import { Link, type MetaFunction, useLoaderData, useRouteLoaderData } from 'react-router';
import { fullTime } from '#contract/rules/time-label.ts';
import { grouped } from '#web/lib/format.ts';
import type { FrameData } from '#web/lib/frame.ts';
import { EMPTY_SEARCH, searchPath } from '#web/lib/search-state.ts';
import { pageMeta } from '#web/lib/site.ts';
import { HomeWidget } from '#web/parts/chat/home-widget.tsx';
import { GameTile } from '#web/parts/cover/cover.tsx';
import { GoodsTile } from '#web/parts/goods-card.tsx';
import { Price } from '#web/ui/price.tsx';
import { Hero } from './hero.tsx';
import type { HomeData, loader } from './loader.ts';
import { Guarantees, Market } from './market.tsx';
import { Side, Stats } from './side.tsx';

export { loader } from './loader.ts';

export const meta: MetaFunction<typeof loader> = (args) => pageMeta(args, { canonicalPath: '/' });

const MODE_ICONS: Readonly<Record<string, typeof Tag>> = {
  buy: ShoppingBag,
  sell: Tag,
  recycle: RotateCcw,
  value: Scale,
  middle: Users,
  coin: Coins,
  games: Gamepad2,
};

/** Tiles whose pictures are asked for at once: on a phone they are the largest thing on the first screen. */
const EAGER = 2;

function Modes({ modes }: { modes: HomeData['modes'] }) {
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

/** The latest completed deals on one line. It stands still; who wants to see more moves it. */
function Ticker({ deals, today }: { deals: HomeData['deals']; today: number | null }) {
  if (deals.length === 0) return null;
  return (
    <section className="panel ticker mt-4 max-md:mt-3" aria-label="实时成交">
      <b className="flex flex-none items-center gap-2 pr-4 font-semibold">
        <i className="dot dot-on" aria-hidden="true" />
        实时成交
      </b>
      <ul tabIndex={0} aria-label="最新成交">
        {deals.map((deal) => (
          <li key={`${deal.dealTime}${deal.title}${deal.price}`}>
            <time dateTime={deal.dealTime} className="text-12 text-ink-3">
              {fullTime(Date.parse(deal.dealTime)).slice(11)}
            </time>
            {deal.gameName}
            <span className="max-w-48 truncate text-12 text-ink-3">{deal.title}</span>
            <Price yuan={deal.price} size="sm" />
          </li>
        ))}
      </ul>
      {today !== null && (
        <span className="flex-none pl-4 text-12 text-ink-3 max-md:hidden">今日 {grouped(today)} 单</span>
      )}
    </section>
  );
}

function HotGames({ games }: { games: HomeData['games'] }) {
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

function GoodsShelf({ id, title, note, goods }: { id: string; title: string; note: string; goods: HomeData['fair'] }) {
  if (goods.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>{title}</h2>
        <p>{note}</p>
        <Link to="/wares" className="more">
          更多
          <ChevronRight className="icon size-3.5" aria-hidden="true" />
        </Link>
      </div>
      <ul className="card-grid home-shelf">
        {goods.map((item, index) => (
          <GoodsTile key={item.goodsSn} goods={item} withGame eager={index < EAGER} />
        ))}
      </ul>
    </section>
  );
}

/** The home page: ways to trade, games, deals and prices, all from the market's own figures; a part without data is left out. */
export default function Home() {
  const data = useLoaderData<typeof loader>();
  const user = useRouteLoaderData<FrameData>('index')?.user;
  const { counts } = data;
  return (
    <>
      <div className="home-first">
        <div className="min-w-0">
          <Hero guideTo={data.guideTo} />
          <Modes modes={data.modes} />
        </div>
        <Side data={data} />
      </div>
      {counts && <Stats counts={counts} inRow />}
      <Ticker deals={data.deals} today={counts?.dealsToday ?? null} />
      <HotGames games={data.games} />
      <GoodsShelf
        id="fair"
        title="价格公道"
        note="已验号，且低于同类近 90 日成交常价；价格为全包价，含服务费"
        goods={data.fair}
      />
      <div className="home-last">
        <Market rows={data.prices} />
        <Guarantees data={data} />
      </div>
      <GoodsShelf id="viewed" title="大家在看" note="近期浏览最多" goods={data.viewed} />
      {user && <HomeWidget unread={user.unread} />}
    </>
  );
}
