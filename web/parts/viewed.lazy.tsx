import { useState } from 'react';
import { Link } from 'react-router';
import { clearViewed, readViewed } from '#web/lib/viewed.ts';
import { Picture } from '#web/ui/picture.tsx';
import { Price } from '#web/ui/price.tsx';

/** Where a log-in leads that takes the list along: the account's history. */
const SIGN_IN = '/login?returnUrl=%2Fwares%2FmyBrowseGoods';

/** What a visitor has viewed in this browser, with the way to keep it. */
export default function Viewed({ max, onClose }: { max: number; onClose: () => void }) {
  const [list, setList] = useState(readViewed);
  if (list.length === 0)
    return (
      <p className="px-1 py-2 text-13 text-ink-3">
        还没有看过商品。
        <Link to="/wares" className="link" onClick={onClose}>
          去看看
        </Link>
      </p>
    );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-1">
        {list.slice(0, max).map(({ goodsSn, title, gameName, price, thumbnail }) => (
          <li key={goodsSn}>
            <Link
              to={`/detail/${goodsSn}`}
              onClick={onClose}
              className="flex items-center gap-3 rounded-control p-1.5 hover:bg-sunken"
            >
              <Picture src={thumbnail} alt="" width={60} height={40} className="w-15 flex-none" />
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
        <Link to={SIGN_IN} className="link" onClick={onClose}>
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
