import { Link } from 'react-router';
import { grouped } from '#web/lib/format/format.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { useHydrated } from '#web/lib/loading/use-hydrated.ts';
import { EMPTY_SEARCH, searchPath } from '#web/lib/lists/search-state.ts';
import { useSite } from '#web/lib/pages/site.ts';
import { GameTile } from '#subjects/goods/web/parts/cover/cover.tsx';
import { GoodsTile } from '#web/parts/goods/goods-card.tsx';
import { GameName, GoodsChips, GoodsPicture, TrustBadges } from '#web/parts/goods/goods-parts.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Price } from '#web/ui/price.tsx';
import { GoodsStorefront, HotGames, Modes, Ticker } from './blocks.tsx';
import { Hero } from './hero.tsx';
import type { HomeData } from './loader.ts';
import { Guarantees, Market } from './market.tsx';
import { VisitorAside, Stats } from './aside.tsx';

const WidgetOrders = lazyWithRetry(
  () => import('#subjects/chat/web/parts/chat-widget/home-widget.lazy.tsx'),
  <div aria-busy="true" className="h-80" />,
);

const FAIR_NOTE = '已验号，比近半年成交估出的参考价低 3%–25%；全包价，含服务费';

/** 5: a magazine: one large listing beside four, then a row for each of the most traded games. */
export function Magazine({ data }: { data: HomeData }) {
  const { counts, shelves } = data;
  const picks = data.fair.length >= 5 ? data.fair : data.viewed;
  const [lead, ...others] = picks;
  const name = useSite()?.name ?? '';
  return (
    <>
      <div className="magazine-head">
        <h1>{name}今日精选</h1>
        <p>已验号、价格低于参考价，按全包价比较</p>
        <Modes modes={data.modes} />
      </div>
      <h2 className="sr-only">精选商品</h2>
      {lead && (
        <ul className="magazine-lead">
          <GoodsTile goods={lead} withGame eager />
          {others.slice(0, 4).map((goods, index) => (
            <GoodsTile key={goods.goodsSn} goods={goods} withGame eager={index < 1} />
          ))}
        </ul>
      )}
      {counts && <Stats counts={counts} inRow />}
      <Ticker sales={data.sales} today={counts?.dealsToday ?? null} />
      {shelves.map(({ game, list }) => (
        <GoodsStorefront
          key={game.id}
          id={`game-${game.id}`}
          title={
            <span className="inline-flex items-center gap-2">
              <GameTile name={game.name} hue={game.hue} icon={game.icon} size={24} className="rounded-tag!" />
              {game.name}
            </span>
          }
          note={`在售 ${grouped(game.onSale)} 件，最近上架`}
          goods={list}
          moreTo={searchPath({ ...EMPTY_SEARCH, game })}
          withGame={false}
        />
      ))}
      <HotGames games={data.games} />
      <div className="home-last">
        <Market rows={data.prices} />
        <Guarantees data={data} />
      </div>
    </>
  );
}

/** The log-in for visitors, in the place of the conversations. */
function Entrance({ login }: { login: string }) {
  return (
    <div className="grid content-start gap-3 p-4">
      <p className="text-14 font-semibold">登录后，这里是您的订单</p>
      <ol className="grid gap-2 text-13 text-ink-2">
        <li>付款进平台托管，订单自动建群</li>
        <li>买卖双方和客服在一处沟通，交接步骤有凭证</li>
        <li>您确认收货，货款才放给卖家</li>
      </ol>
      <p className="grid grid-cols-2 gap-2">
        <ButtonLink to={login} kind="primary">
          登录
        </ButtonLink>
        <ButtonLink to="/register">免费注册</ButtonLink>
      </p>
    </div>
  );
}

/** 6: a dashboard for returning users: the orders' conversations on the left, pending actions and news next to them. */
export function DashboardLayout({ data }: { data: HomeData }) {
  const { counts, me, login } = data;
  // The conversations are loaded by the browser; the server renders nothing in their place.
  const ready = useHydrated();
  return (
    <>
      <div className="home-dash">
        <section className={me ? 'panel home-orders home-orders-mine' : 'panel home-orders'} aria-label="交易群">
          {me && !ready && <div aria-busy="true" className="h-80" />}
          {me && ready && <WidgetOrders />}
          {!me && <Entrance login={login} />}
        </section>
        <div className="min-w-0">
          <Hero guideTo={data.guideTo} banners={data.banners} />
          <Modes modes={data.modes} />
          <Ticker sales={data.sales} today={counts?.dealsToday ?? null} />
        </div>
      </div>
      {counts && <Stats counts={counts} inRow />}
      <GoodsStorefront id="fair" title="价格公道" note={FAIR_NOTE} goods={data.fair} />
      <div className="home-last">
        <Market rows={data.prices} />
        <VisitorAside data={data} />
      </div>
      <HotGames games={data.games} />
      <div className="guarantees-wide">
        <Guarantees data={data} />
      </div>
    </>
  );
}

/** One listing as a row: title, badges, all-in price. */
function BoardRow({ goods, eager }: { goods: HomeData['rows'][number]; eager: boolean }) {
  return (
    <li className="board-row">
      <GoodsPicture goods={goods} width={112} height={74} eager={eager} />
      <div className="min-w-0">
        <h3 className="truncate">
          <GameName name={goods.gameName} title={goods.bigTitle} className="mr-1.5 font-semibold" />
          <Link to={goods.pageUrl} className="stretched">
            {goods.bigTitle}
          </Link>
        </h3>
        <GoodsChips goods={goods} max={4} />
      </div>
      <p className="trust max-md:hidden">
        <TrustBadges goods={goods} />
      </p>
      <Price yuan={goods.allInPrice} />
    </li>
  );
}

/** 7: a board: the figures in one line, then the newest listings as rows; facts only. */
export function Board({ data }: { data: HomeData }) {
  const { counts, rows, games } = data;
  const name = useSite()?.name ?? '';
  return (
    <>
      <div className="board-head">
        <h1>{name}最新上架</h1>
        {counts && (
          <p>
            在售 <b>{grouped(counts.onSale)}</b>
            {counts.dealsToday > 0 && (
              <>
                今日成交 <b>{grouped(counts.dealsToday)}</b>
              </>
            )}
          </p>
        )}
        <nav aria-label="热门游戏">
          {games.slice(0, 10).map((game) => (
            <Link key={game.id} to={searchPath({ ...EMPTY_SEARCH, game })} className="pick">
              {game.name}
            </Link>
          ))}
        </nav>
      </div>
      <section className="panel" aria-label="最新上架">
        <h2 className="sr-only">最新商品</h2>
        <ul>
          {rows.map((goods, index) => (
            <BoardRow key={goods.goodsSn} goods={goods} eager={index < 2} />
          ))}
        </ul>
        <p className="border-t border-line-soft py-3 text-center">
          <Link to="/wares" className="link text-13">
            全部商品
          </Link>
        </p>
      </section>
      <div className="home-last">
        <Market rows={data.prices} />
        <VisitorAside data={data} />
      </div>
      <div className="guarantees-wide">
        <Guarantees data={data} />
      </div>
    </>
  );
}
