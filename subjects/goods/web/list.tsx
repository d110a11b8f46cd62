import { COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { LayoutGrid, Rows3, SlidersHorizontal, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, type MetaFunction, useLoaderData, useLocation, useNavigation } from 'react-router';
import { goodsTypeName } from '#contract/rules/catalogue.ts';
import { countText } from '#web/lib/format/format.ts';
import { canonicalQueryOf } from '#web/lib/lists/page-number.ts';
import {
  FREE_LABELS,
  listPath,
  marksOf,
  SORTS,
  sortName,
  VOICE_LABELS,
  withService,
} from '#web/lib/lists/list-query.ts';
import { termsOf } from '#web/lib/lists/highlight.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { AdvertStrip } from '#web/parts/adverts/advert-strip.tsx';
import { CompareBar, WhyButton } from '#web/parts/goods/compare.tsx';
import { FilterPanel } from './parts/filters/filter-panel.tsx';
import { GoodsTile } from '#web/parts/goods/goods-card.tsx';
import { GoodsRow } from '#web/parts/goods/goods-row.tsx';
import { HighlightContext } from '#web/parts/search/highlight.tsx';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { LoadMore } from '#web/ui/lists/load-more.tsx';
import {
  BoostLadder,
  CompanionRows,
  FilterSheet,
  loadFilterSheetOnPhones,
  NoResults,
  SubscribeTo,
  Wanted,
} from './list-lazy.tsx';
import type { ListData, loader } from './list-loader.ts';
import { useGoodsPages } from './use-goods-pages.ts';

export const handle = { phone: { refresh: true } };

export { loader } from './list-loader.ts';

/** Rows near the top are visible immediately; their pictures do not wait for the scripts. */
const EAGER = 4;

function titleOf({ search, state }: ListData): string {
  const type = state.gt === null ? '' : goodsTypeName(state.gt);
  return [search.game?.name, search.area?.name, type].filter(Boolean).join(' ') || '商品';
}

export const meta: MetaFunction<typeof loader> = (args) => {
  const data = args.loaderData as ListData | undefined;
  if (!data?.state) return pageMeta(args, { title: '商品列表' });
  const { gid, gt } = data.state;
  const { keyWord } = data.state;
  const inPage = data.page > 1 ? ` 第 ${data.page} 页` : '';
  return pageMeta(args, {
    title: `${keyWord ? `“${keyWord}” ${titleOf(data)}` : `${titleOf(data)}交易`}${inPage}`,
    description: `${titleOf(data)}在售 ${countText(data.total, data.totalCapped)} 件：全包价、验号结果、同类成交价`,
    canonicalQuery: canonicalQueryOf({ gt: String(gt ?? 0), gid: gid === null ? null : String(gid) }, data.page),
    noindex: data.tags.length > 0 || data.isPart,
    jsonLd: data.jsonLd,
  });
};

function ChosenTags({ data }: { data: ListData }) {
  if (data.tags.length === 0) return null;
  return (
    <div className="chosen">
      <span>已选</span>
      {data.tags.map(({ label, without }) => (
        <Link key={label} to={without} preventScrollReset className="chosen-tag" aria-label={`去掉 ${label}`}>
          {label}
          <X className="icon" aria-hidden="true" />
        </Link>
      ))}
      <Link to={data.clearTo} preventScrollReset className="link">
        清空
      </Link>
      {data.total > 0 && <SubscribeTo data={data} title={titleOf(data)} />}
      <span className="ml-auto" aria-live="polite">
        符合 <b className="font-semibold text-ink">{countText(data.total, data.totalCapped)}</b> 件
      </span>
    </div>
  );
}

/** The times and voices that a phone offers next to its filter sheet: label, and the list with or without it. */
const companionPicks = (state: ListData['state']) => [
  ...(['now', 'tonight', 'tomorrow'] as const).map((free) => ({
    label: FREE_LABELS[free],
    on: state.free === free,
    to: listPath({ ...state, free: state.free === free ? null : free }),
  })),
  ...(['any', 'female', 'male'] as const).map((voice) => ({
    label: VOICE_LABELS[voice],
    on: state.voice === voice,
    to: listPath({ ...state, voice: state.voice === voice ? null : voice }),
  })),
];

/** The phone's filters: one row of links into the filter sheet, and the services as switches. */
function PhoneFilters({ data }: { data: ListData }) {
  const [open, setOpen] = useState(false);
  useEffect(loadFilterSheetOnPhones, []);
  const { state, search, tags } = data;
  // The keyword is in the search field above; the sheet has only the other conditions.
  const chosen = tags.length - (state.keyWord ? 1 : 0);
  return (
    <div className="phone-filters">
      <button type="button" className={cx('pick', chosen > 0 && 'pick-on')} onClick={() => setOpen(true)}>
        <SlidersHorizontal className="icon size-3.5" aria-hidden="true" />
        筛选{chosen > 0 && ` ${chosen}`}
      </button>
      {data.choices.areas.length > 0 && (
        <button type="button" className={cx('pick', search.area && 'pick-on')} onClick={() => setOpen(true)}>
          {search.area?.name ?? '大区'}
        </button>
      )}
      <button type="button" className={cx('pick', (state.min || state.max) && 'pick-on')} onClick={() => setOpen(true)}>
        价格
      </button>
      {state.gt === COMPANION_PLAY &&
        companionPicks(state).map(({ label, on, to }) => (
          <Link
            key={label}
            to={to}
            preventScrollReset
            className={cx('pick', on && 'pick-on')}
            aria-current={on || undefined}
          >
            {label}
          </Link>
        ))}
      {marksOf(state).map(({ name, label }) => (
        <Link
          key={name}
          to={listPath(withService(state, name))}
          preventScrollReset
          className={cx('pick', state.services.has(name) && 'pick-on')}
        >
          {label}
        </Link>
      ))}
      {open && <FilterSheet data={data} onClose={() => setOpen(false)} />}
    </div>
  );
}

function ListHead({ data }: { data: ListData }) {
  const { state } = data;
  const views = [
    ['rows', '列表', Rows3],
    ['cards', '卡片', LayoutGrid],
  ] as const;
  return (
    <div className="list-head">
      <nav aria-label="排序" className="contents">
        {SORTS.map(([value, , label]) => (
          <Link
            key={label}
            to={listPath({ ...state, sort: value })}
            preventScrollReset
            rel="nofollow"
            className={cx('pick', value === 'priceDesc' && 'max-md:hidden')}
            aria-current={state.sort === value || undefined}
          >
            {value === 'priceAsc' ? (
              <>
                <span className="max-md:hidden">{label}</span>
                <span className="md:hidden">价格升序</span>
              </>
            ) : (
              sortName(label, state.gt)
            )}
          </Link>
        ))}
      </nav>
      {data.goods.length > 0 && <WhyButton goods={data.goods} />}
      <span className="ml-auto text-13 whitespace-nowrap text-ink-3 max-md:hidden">
        共 <b className="font-semibold text-ink">{countText(data.total, data.totalCapped)}</b> 件
      </span>
      <span className="segments ml-3 max-md:hidden" role="group" aria-label="显示方式">
        {views.map(([view, label, Icon]) => (
          <Link
            key={view}
            to={listPath({ ...state, view })}
            preventScrollReset
            replace
            rel="nofollow"
            aria-label={label}
            title={label}
            aria-current={state.view === view || undefined}
          >
            <Icon className="icon size-3.5" aria-hidden="true" />
          </Link>
        ))}
      </span>
    </div>
  );
}

/** Shows the probable meaning of a keyword, or other searches; the server names and counts them. */
function Nearby({ data: { hint, nearby } }: { data: ListData }) {
  if (nearby.length === 0) return null;
  return (
    <nav className="grid justify-items-center gap-2 p-4" aria-label={hint}>
      <p className="text-13 text-ink-3">{hint}</p>
      <ul className="flex flex-wrap justify-center gap-2">
        {nearby.map(({ label, to }) => (
          <li key={`${label}${to}`}>
            <ButtonLink to={to} size="sm">
              {label}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Listings that match all conditions but one. */
function Near({ data: { wider, near, tags, state } }: { data: ListData }) {
  const [off] = wider;
  // Without its keyword a search is a different one, and without its only condition the list is unfiltered.
  if (!off || tags.length < 2 || (state.keyWord && off.label === tags[0]?.label)) return null;
  return (
    <section className="border-t border-line-soft" aria-labelledby="near">
      <h3 id="near" className="flex items-center gap-2 px-4 pt-4 pb-2 text-13 font-semibold">
        只差“{off.label}”
        <Link to={off.without} preventScrollReset className="link ml-auto font-normal">
          查看全部 {countText(off.total, off.totalCapped)} 件
        </Link>
      </h3>
      <ul>
        {near.map((goods) => (
          <GoodsRow key={goods.goodsSn} goods={goods} {...rowParts(state)} />
        ))}
      </ul>
    </section>
  );
}

/** A keyword without results that was probably mistyped: the results of what was meant, and the way back to what was typed. */
function Corrected({ corrected, state }: { corrected: NonNullable<ListData['corrected']>; state: ListData['state'] }) {
  const { text, to, goods, total, typedTo } = corrected;
  return (
    <>
      <p
        className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line-soft px-4 py-3 text-13"
        role="status"
      >
        <span>
          没有“{state.keyWord}”的结果，已按 <b className="font-semibold">{text}</b> 搜索
        </span>
        <Link to={typedTo} className="link">
          仍搜“{state.keyWord}”
        </Link>
        <Link to={to} className="link ml-auto">
          查看全部 {total} 件
        </Link>
      </p>
      <ul>
        {goods.map((one, index) => (
          <GoodsRow key={one.goodsSn} goods={one} eager={index < EAGER} withGame />
        ))}
      </ul>
    </>
  );
}

/** The properties that rows name because the list contains several values. */
const rowParts = ({ gid, gt }: ListData['state']) => ({ withGame: gid === null, withType: gt === null });

function Results({ data }: { data: ListData }) {
  const { items, next, busy, more } = useGoodsPages(data);
  const { pathname, search } = useLocation();
  const { gt } = data.state;
  if (items.length === 0 && data.corrected) return <Corrected corrected={data.corrected} state={data.state} />;
  if (items.length === 0)
    return (
      <>
        <NoResults data={data} title={titleOf(data)} subscribe={<SubscribeTo data={data} title={titleOf(data)} />} />
        <Near data={data} />
      </>
    );
  const query = new URLSearchParams(search);
  // By number when the page has one: such a URL stays valid, and search engines can follow it.
  if (next && query.has('cursor')) query.set('cursor', next);
  else if (next) query.set('pages', String(data.page + 1));
  const footer = (
    <LoadMore
      visible={items.length}
      total={countText(data.total, data.totalCapped)}
      href={next && `${pathname}?${query}`}
      busy={busy}
      onMore={() => void more()}
    />
  );
  return data.state.view === 'cards' ? (
    <div className="p-4 max-md:p-3">
      <ul className="card-grid">
        {items.map((goods, index) => (
          <GoodsTile key={goods.goodsSn} goods={goods} eager={index < EAGER} withGame={data.state.gid === null} />
        ))}
      </ul>
      {footer}
    </div>
  ) : (
    <div className={gt === COMPANION_PLAY ? 'companion-list' : undefined}>
      {gt === COMPANION_PLAY ? (
        <CompanionRows items={items} loaded={data.companions} eager={EAGER} footer={footer} />
      ) : (
        <div className="min-w-0">
          <ul>
            {items.map((goods, index) => (
              <GoodsRow key={goods.goodsSn} goods={goods} eager={index < EAGER} {...rowParts(data.state)} />
            ))}
          </ul>
          <div className="border-t border-line-soft">{footer}</div>
        </div>
      )}
    </div>
  );
}

/** The listing search: the URL holds its whole state, every choice is a link, and the server renders everything. */
export default function GoodsList() {
  const data = useLoaderData() as ListData;
  const location = useLocation();
  const busy = useNavigation().state === 'loading';
  return (
    <>
      <h1 className="sr-only">{titleOf(data)}</h1>
      <div className="max-md:hidden">
        <Breadcrumb items={data.crumbs} />
        <section className="panel" aria-label="筛选">
          <FilterPanel state={data.state} choices={data.choices} />
          <ChosenTags data={data} />
        </section>
      </div>
      <PhoneFilters data={data} />
      {data.routes && <BoostLadder routes={data.routes} state={data.state} />}
      {data.adverts.length > 0 && (
        <div className="mt-4 -mb-2 max-md:mt-0 max-md:mb-1 max-md:px-1">
          <AdvertStrip adverts={data.adverts} />
        </div>
      )}
      <section
        className={cx('panel list-panel mt-4 max-md:mt-0', busy && 'list-busy')}
        aria-label="商品"
        aria-busy={busy}
      >
        <h2 className="sr-only">搜索结果</h2>
        <ListHead data={data} />
        <Nearby data={data} />
        <HighlightContext value={termsOf(data.state.keyWord)}>
          <Results key={location.key} data={data} />
        </HighlightContext>
      </section>
      <Wanted data={data} title={titleOf(data)} />
      <CompareBar gameId={data.state.gid} typeId={data.state.gt} />
    </>
  );
}
