import { useLocation, Link } from 'react-router';
import { goodsTypeName } from '#contract/rules/catalogue.ts';
import { grouped } from '#web/lib/format/format.ts';
import { EMPTY_SEARCH, searchPath } from '#web/lib/lists/search-state.ts';
import { useSite } from '#web/lib/pages/site.ts';
import { GameTile } from '#subjects/goods/web/parts/cover/cover.tsx';
import { SearchBar } from '#web/parts/search/search-bar.tsx';
import { SearchHints } from '#web/parts/search/search-hints.tsx';
import { GameName } from '#web/parts/goods/goods-parts.tsx';
import { Price } from '#web/ui/price.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { GoodsStorefront, HotGames, Modes, Ticker } from './blocks.tsx';
import { EscrowHero } from './escrow.tsx';
import { Hero, Scene } from './hero.tsx';
import type { HomeData } from './loader.ts';
import { Guarantees, Market } from './market.tsx';
import { FreshAside, VisitorAside, Stats } from './aside.tsx';

const FAIR_NOTE = '已验号，比近半年成交估出的参考价低 3%–25%；全包价，含服务费';
const VIEWED_NOTE = '近期浏览最多';

/** 1: banner and ways to trade next to the visitor's panel, then games, well-priced listings, prices. */
export function Classic({ data }: { data: HomeData }) {
  const { counts } = data;
  return (
    <>
      <div className="home-first">
        {data.banners.length > 0 ? (
          <div className="home-banner">
            <Hero guideTo={data.guideTo} banners={data.banners} />
          </div>
        ) : (
          <EscrowHero guideTo={data.guideTo} />
        )}
        {data.fresh.length > 1 ? <FreshAside data={data} /> : <VisitorAside data={data} />}
      </div>
      {counts && <Stats counts={counts} inRow />}
      <div className="modes-alone">
        <Modes modes={data.modes} />
      </div>
      <Ticker sales={data.sales} today={counts?.dealsToday ?? null} />
      <HotGames games={data.games} />
      <GoodsStorefront id="fair" title="价格公道" note={FAIR_NOTE} goods={data.fair} />
      <div className="home-last">
        <Market rows={data.prices} />
        <Guarantees data={data} />
      </div>
      <GoodsStorefront id="viewed" title="大家在看" note={VIEWED_NOTE} goods={data.viewed} />
    </>
  );
}

/** The latest sales, as a column. */
function SaleList({ sales, count }: { sales: HomeData['sales']; count: number }) {
  if (sales.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="sales">
      <div className="panel-head">
        <h2 id="sales">刚刚成交</h2>
      </div>
      <ul className="px-4 py-1">
        {sales.slice(0, count).map((sale) => (
          <li
            key={`${sale.dealTime}${sale.title}${sale.price}`}
            className="grid grid-cols-[1fr_auto] gap-x-3 border-b border-line-soft py-2 last:border-b-0"
          >
            <span className="truncate text-13">
              <GameName name={sale.gameName} title={sale.title} className="mr-1.5 font-medium" />
              {sale.title}
            </span>
            <Price yuan={sale.price} size="sm" />
            <TimeLabel at={sale.dealTime} className="text-12 text-ink-3" />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** 2: the search in the middle of the hero, large games below it, listings beside the latest sales. */
export function SearchFirst({ data }: { data: HomeData }) {
  const { counts } = data;
  const { key } = useLocation();
  return (
    <>
      <section className="home-search" aria-labelledby="home-title">
        <Scene />
        <div className="home-search-words">
          <h1 id="home-title">找号、比价、托管交付</h1>
          <p>
            {counts ? `在售 ${grouped(counts.onSale)} 件，` : ''}
            货款由平台保管到验收
          </p>
          <div className="max-md:hidden">
            <SearchBar key={key} initial={EMPTY_SEARCH} />
            <div className="mt-2.5 flex justify-center">
              <SearchHints hot={data.games.slice(0, 5)} />
            </div>
          </div>
        </div>
      </section>
      <Modes modes={data.modes} />
      {counts && <Stats counts={counts} inRow />}
      <HotGames games={data.games} />
      <div className="home-with-sales">
        <GoodsStorefront id="fair" title="价格公道" note={FAIR_NOTE} goods={data.fair.slice(0, 8)} perRow={4} />
        <SaleList sales={data.sales} count={data.fair.length >= 8 ? 9 : 5} />
      </div>
      <div className="home-last">
        <Market rows={data.prices} />
        <Guarantees data={data} />
      </div>
      <GoodsStorefront id="viewed" title="大家在看" note={VIEWED_NOTE} goods={data.viewed} />
    </>
  );
}

/** The games as a narrow column, for users who know what they want. */
function GameRail({ games }: { games: HomeData['games'] }) {
  return (
    <nav className="panel game-rail" aria-label="游戏">
      {games.slice(0, 13).map((game) => (
        <Link key={game.id} to={searchPath({ ...EMPTY_SEARCH, game })}>
          <GameTile name={game.name} hue={game.hue} icon={game.icon} size={24} className="flex-none rounded-tag!" />
          <span className="truncate">{game.name}</span>
          <span className="ml-auto text-12 text-ink-3">{grouped(game.onSale)}</span>
        </Link>
      ))}
      <Link to="/allgame" className="text-ink-3">
        全部游戏
      </Link>
    </nav>
  );
}

/** 3: an exchange: games at the left, today's prices in the middle, the visitor's panel at the right; no banner. */
export function Exchange({ data }: { data: HomeData }) {
  const { counts } = data;
  const name = useSite()?.name ?? '';
  return (
    <>
      <h1 className="sr-only">{name}</h1>
      <div className="home-exchange">
        <GameRail games={data.games} />
        <div className="grid min-w-0 content-start gap-4">
          <Market rows={data.prices} />
        </div>
        <VisitorAside data={data} />
      </div>
      {counts && <Stats counts={counts} inRow />}
      <Ticker sales={data.sales} today={counts?.dealsToday ?? null} />
      <div className="modes-alone">
        <Modes modes={data.modes} />
      </div>
      <div className="md:hidden">
        <HotGames games={data.games} />
      </div>
      <GoodsStorefront id="viewed" title="大家在看" note={VIEWED_NOTE} goods={data.viewed} />
      <GoodsStorefront id="fair" title="价格公道" note={FAIR_NOTE} goods={data.fair} />
      <div className="guarantees-wide">
        <Guarantees data={data} />
      </div>
    </>
  );
}

/** Goods types with the most traded games, as a directory. */
const HALLS = [1, 50, 2, 27, 8, 60] as const;
const PER_HALL = 4;

function Hall({ data }: { data: HomeData }) {
  return (
    <nav className="panel hall" aria-label="商品目录">
      {HALLS.map((typeId, row) => (
        <div key={typeId}>
          <Link to={`/wares?gt=${typeId}`} className="-my-1 inline-block py-1 text-14 font-semibold">
            {goodsTypeName(typeId)}
          </Link>
          <p>
            {Array.from(
              { length: Math.min(PER_HALL, data.games.length) },
              (_, i) => data.games[(row * 2 + i) % data.games.length],
            ).map(
              (game) =>
                game && (
                  <Link key={game.id} to={searchPath({ ...EMPTY_SEARCH, game, typeId })}>
                    {game.name}
                  </Link>
                ),
            )}
          </p>
        </div>
      ))}
    </nav>
  );
}

/** 4: a market hall: the whole directory at the left, banner and ways to trade in the middle, the visitor's panel at the right. */
export function Directory({ data }: { data: HomeData }) {
  const { counts } = data;
  return (
    <>
      <div className="home-hall">
        <Hall data={data} />
        <div className="grid min-w-0 grid-rows-[auto_1fr]">
          <Hero guideTo={data.guideTo} banners={data.banners} />
          <Modes modes={data.modes} />
        </div>
        <VisitorAside data={data} />
      </div>
      {counts && <Stats counts={counts} inRow />}
      <Ticker sales={data.sales} today={counts?.dealsToday ?? null} />
      <GoodsStorefront id="viewed" title="大家在看" note={VIEWED_NOTE} goods={data.viewed} />
      <GoodsStorefront id="fair" title="价格公道" note={FAIR_NOTE} goods={data.fair} />
      <HotGames games={data.games} />
      <div className="home-last">
        <Market rows={data.prices} />
        <Guarantees data={data} />
      </div>
    </>
  );
}
