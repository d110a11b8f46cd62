import { Link } from 'react-router';
import { cookie } from '#web/lib/session/cookies.ts';

/** The account's history; a visitor's is in the browser. */
const HISTORY = '/wares/myBrowseGoods';

/** Links that phones have in the menu of their header: the floating menu's entries, and pages that only wide screens link to. */
const MENU: readonly { name: string; items: readonly { label: string; to: string }[] }[] = [
  {
    name: '常用',
    items: [
      { label: '联系客服', to: '/customerService?open=1' },
      { label: '我要买', to: '/wares' },
      { label: '我要卖', to: '/center/sell' },
      { label: '浏览记录', to: HISTORY },
      { label: '收藏', to: '/center/buyLikedGoods' },
      { label: '账号回收', to: '/recycle' },
      { label: '客服验真', to: '/kfyz' },
      { label: '黑号查询', to: '/black' },
    ],
  },
  {
    name: '交易',
    items: [
      { label: '代练', to: '/wares?gt=60' },
      { label: '陪玩', to: '/wares?gt=61' },
      { label: '极速金币', to: '/fastGold/fastGoldOrder' },
      { label: '热卖商城', to: '/wares/hotShoppingMall' },
      { label: '金币回收', to: '/wares/goldRecycling' },
      { label: '账号估价', to: '/gj-wzry' },
      { label: '担保中介', to: '/intermediary/intermediary' },
      { label: '成交展示', to: '/dealshow' },
    ],
  },
  {
    name: '更多',
    items: [
      { label: '领券', to: '/lotterydraw' },
      { label: '赛事', to: '/competition' },
      { label: '公告', to: '/news' },
      { label: '事件案例', to: '/eventCase' },
    ],
  },
];

/**
 * Replaces the floating menu and the navigation of wide screens on phones, in the search sheet: the frequent entries, or the others.
 */
export function PhoneLinks({ frequent, onClose }: { frequent: boolean; onClose: () => void }) {
  return (
    <>
      {MENU.slice(frequent ? 0 : 1, frequent ? 1 : MENU.length).map(({ name, items }) => (
        <nav key={name} aria-label={name} className="mt-3">
          <h3 className="mb-2 text-12 text-ink-3">{name}</h3>
          <ul className="grid grid-cols-4 gap-2">
            {items.map(({ label, to }) => (
              <li key={to}>
                <Link
                  to={to === HISTORY && cookie('token') === null ? '/wares/viewed' : to}
                  onClick={onClose}
                  className="grid min-h-11 place-items-center rounded-control bg-sunken px-1 text-13"
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      ))}
    </>
  );
}
