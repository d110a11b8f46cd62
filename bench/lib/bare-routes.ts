/** The routes of the bare React Router page: one list of 28 cards with links, as `bare-page.ts` has. Used by server and browser. */
import { createElement as h, type ReactElement } from 'react';
import { Link, type RouteObject, useLoaderData } from 'react-router';

interface Card {
  sn: string;
  title: string;
  price: string;
  seller: string;
}

const goods: Card[] = Array.from({ length: 28 }, (_, i) => ({
  sn: `YS${1_000_001 + i}`,
  title: `安卓QQ ${i} 区 段位荣耀王者 皮肤 ${i * 7} 款 可二次实名`,
  price: (100 + i * 79.19).toFixed(2),
  seller: `卖家${i}`,
}));

function card(g: Card): ReactElement {
  return h(
    'li',
    { key: g.sn },
    h(Link, { to: `/detail/${g.sn}` }, h('h3', null, g.title)),
    h('p', null, h('span', null, g.seller), h('strong', null, '¥', g.price)),
  );
}

function List(): ReactElement {
  return h('main', null, h('h1', null, '账号'), h('ol', null, useLoaderData<Card[]>().map(card)));
}

/** The routes of the page. */
export const routes: RouteObject[] = [{ id: 'list', path: '/', loader: () => goods, Component: List }];
