import { GoodsStatus } from '#contract/rules/statuses.ts';
import type { Data } from '#contract/endpoint.ts';
import type { goodsInfo } from '#subjects/goods/contract/goods.ts';

interface Described {
  goods: Data<typeof goodsInfo>;
  origin: string;
  /** Paths of the parent lists: of the type, and of the game in it. */
  typeList: string;
  gameList: string;
}

const SCHEMA = 'https://schema.org';

/** The breadcrumbs that search engines show instead of a URL. */
function crumbsLd({ goods, origin, typeList, gameList }: Described): Record<string, unknown> {
  const breadcrumbs = [
    ['首页', '/'],
    [goods.goodsTypeStr, typeList],
    [goods.gameName, gameList],
    [goods.bigTitle, goods.pageUrl],
  ] as const;
  return {
    '@context': SCHEMA,
    '@type': 'BreadcrumbList',
    itemListElement: breadcrumbs.map(([name, path], i) => ({
      '@type': 'ListItem',
      position: i + 1,
      name,
      item: `${origin}${path}`,
    })),
  };
}

/** The drawn card, and the listing's own pictures; a drawing is no raster picture, which search engines do not show. */
const rasterPictures = ({ goodsSn, pictures }: Described['goods'], origin: string): string[] =>
  [`/og/goods/${goodsSn}.jpg`, ...pictures.map(({ url }) => url).filter((url) => !url.includes('.svg'))]
    .slice(0, 4)
    .map((url) => new URL(url, origin).href);

function productLd({ goods, origin }: Described): Record<string, unknown> {
  return {
    '@context': SCHEMA,
    '@type': 'Product',
    name: goods.bigTitle,
    sku: goods.goodsSn,
    description: goods.chips.map(({ label, value }) => `${label} ${value}`).join('，') || goods.bigTitle,
    brand: { '@type': 'Brand', name: goods.gameName },
    category: `${goods.gameName} ${goods.goodsTypeStr}`,
    image: rasterPictures(goods, origin),
    offers: {
      '@type': 'Offer',
      price: goods.allInPrice,
      priceCurrency: 'CNY',
      availability: `${SCHEMA}/${goods.status === GoodsStatus.OnSale ? 'InStock' : 'SoldOut'}`,
      url: `${origin}${goods.pageUrl}`,
      seller: { '@type': 'Person', name: goods.seller.nickName },
    },
  };
}

/** Structured data of a listing for search engines (schema.org), rendered on the server. */
export const structuredData = (described: Described): Record<string, unknown>[] => [
  productLd(described),
  crumbsLd(described),
];
