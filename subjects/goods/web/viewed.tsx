import { useState } from 'react';
import { Link, type MetaFunction } from 'react-router';
import { useHydrated } from '#web/lib/loading/use-hydrated.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { clearViewed, readViewed } from '#web/lib/lists/viewed.ts';
import { Cover } from './parts/cover/cover.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Price } from '#web/ui/price.tsx';
import { EmptyState, Skeleton } from '#web/ui/states.tsx';

export const meta: MetaFunction = (args) => pageMeta(args, { title: '看过的商品', noindex: true });

/** Target of a log-in that imports the list: the account's history. */
const SIGN_IN = '/login?returnUrl=%2Fwares%2FmyBrowseGoods';

/** The list, with a link to save it. */
function Viewed() {
  const [list, setList] = useState(readViewed);
  if (list.length === 0)
    return (
      <EmptyState title="还没有看过商品" action={<ButtonLink to="/wares">去看看</ButtonLink>}>
        看过的商品记在这个浏览器里，登录后并入浏览记录。
      </EmptyState>
    );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-1">
        {list.map(({ goodsSn, title, gameName, price, thumbnail }) => (
          <li key={goodsSn}>
            <Link to={`/detail/${goodsSn}`} className="flex items-center gap-3 rounded-control p-1.5 hover:bg-sunken">
              <Picture
                src={thumbnail}
                alt=""
                width={60}
                height={40}
                className="w-15 flex-none"
                fallback={<Cover seed={goodsSn} />}
              />
              <span className="min-w-0 flex-1">
                <span className="block truncate text-13">{title}</span>
                <span className="flex items-baseline justify-between gap-2 text-12 text-ink-3">
                  {gameName}
                  <Price yuan={price} />
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <p className="flex items-center justify-between gap-3 border-t border-line-soft px-1.5 pt-2 text-12 text-ink-3">
        <Link to={SIGN_IN} className="link">
          登录后长期保存
        </Link>
        <button
          type="button"
          className="hit hover:text-link"
          onClick={() => {
            clearViewed();
            setList([]);
          }}
        >
          清空
        </button>
      </p>
    </div>
  );
}

/** The listings viewed in this browser by a visitor without an account; the account's history has its own page. */
export default function ViewedPage() {
  const hydrated = useHydrated();
  return (
    <>
      <div className="max-md:hidden">
        <Breadcrumb items={[{ label: '首页', to: '/' }, { label: '看过的商品' }]} />
      </div>
      <section className="panel max-md:mt-3" aria-labelledby="viewed">
        <div className="panel-head">
          <h1 id="viewed" className="text-16 font-semibold">
            看过的商品
          </h1>
          <p>只存在这个浏览器里</p>
        </div>
        <div className="min-h-96 p-3">{hydrated ? <Viewed /> : <Skeleton className="h-90" />}</div>
      </section>
    </>
  );
}
