/** A bare React page of some 12 KB behind node:http: what the same machine does at most. `node bare-page.ts PORT string|stream`. */
import http from 'node:http';
import { createElement as h, type ReactElement } from 'react';
import { renderToPipeableStream, renderToString } from 'react-dom/server';

const [port, mode] = process.argv.slice(2);

const goods = Array.from({ length: 28 }, (_, i) => ({
  sn: `YS${1_000_001 + i}`,
  title: `安卓QQ ${i} 区 段位荣耀王者 皮肤 ${i * 7} 款 可二次实名`,
  price: (100 + i * 79.19).toFixed(2),
  seller: `卖家${i}`,
}));

function card(g: (typeof goods)[number]): ReactElement {
  return h(
    'li',
    { key: g.sn, className: 'card' },
    h(
      'a',
      { href: `/detail/${g.sn}`, className: 'card-link' },
      h('img', { src: `/art/${g.sn}.webp`, width: 160, height: 120, alt: g.title, loading: 'lazy' }),
      h('h3', { className: 'card-title' }, g.title),
    ),
    h('p', { className: 'meta' }, h('span', null, g.seller), h('strong', { className: 'price' }, '¥', g.price)),
  );
}

const page = (): ReactElement =>
  h(
    'html',
    { lang: 'zh-CN' },
    h('head', null, h('meta', { charSet: 'utf-8' }), h('title', null, '账号')),
    h('body', null, h('main', null, h('ol', { className: 'list' }, goods.map(card)))),
  );

const head = { 'content-type': 'text/html; charset=utf-8' };
http
  .createServer((_request, response) => {
    response.writeHead(200, head);
    if (mode === 'stream') {
      const { pipe } = renderToPipeableStream(page(), { onShellReady: () => void pipe(response) });
    } else {
      response.end(`<!DOCTYPE html>${renderToString(page())}`);
    }
  })
  .listen(Number(port), '127.0.0.1');
