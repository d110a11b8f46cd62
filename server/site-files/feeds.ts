import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { goodsTypeName } from '#contract/rules/catalogue.ts';
import { yuanLabel, yuanText } from '#contract/wire.ts';
import type { Limiter } from '../access/limits.ts';
import type { Context } from '#server/context.ts';
import type { Distributor } from '#server/directory/directory.ts';
import { TtlCache } from '#server/kernel/cache.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import { type FeedListing, feedListings } from '#subjects/goods/server/service.ts';

/** Newest listings in the feed for readers. */
const NEWEST = 50;
/** Listings in the feed for search engines and comparison sites. */
const PRODUCTS = 2000;
const TTL_MS = 600_000;
/** Feeds in the cache; the largest takes about two megabytes. */
const MAX_CACHED = 16;
const DESCRIPTION_CHARS = 500;

const INVALID = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text for XML content and quoted attributes; characters not allowed in XML are dropped. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(INVALID, '')
    .replace(/[&<>"]/g, (c) => ENTITIES[c] ?? c);

interface Named extends FeedListing {
  gameName: string;
}

/** Listings with the names of their games. */
async function named(ctx: Context, listings: readonly FeedListing[]): Promise<Named[]> {
  const all = await catalogue(ctx);
  return listings.map((l) => ({ ...l, gameName: all.known(l.gameId)?.name ?? '' }));
}

/** The newest listings as Atom (RFC 4287). */
function atom(origin: string, site: string, listings: readonly Named[]): string {
  const entries = listings.map(
    (l) => `<entry>
<id>${escaped(origin + l.path)}</id>
<title>${escaped(l.title)}</title>
<link rel="alternate" href="${escaped(origin + l.path)}"/>
<published>${l.createdAt.toISOString()}</published>
<updated>${l.changedAt.toISOString()}</updated>
<category term="${escaped(l.gameName)}"/>
<summary>${escaped(`${l.gameName} ${goodsTypeName(l.typeId)}，¥${yuanLabel(l.priceFen)}`)}</summary>
</entry>`,
  );
  const latest = listings.reduce((at, l) => Math.max(at, l.changedAt.getTime()), 0);
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="zh-CN">
<id>${escaped(`${origin}/feed.xml`)}</id>
<title>${escaped(`${site} 新上架`)}</title>
<link rel="self" href="${escaped(`${origin}/feed.xml`)}"/>
<link rel="alternate" href="${escaped(`${origin}/wares`)}"/>
<author><name>${escaped(site)}</name></author>
<updated>${new Date(latest).toISOString()}</updated>
${entries.join('\n')}
</feed>
`;
}

/**
 * Listings as RSS 2.0 with the product fields of Google Merchant Center, which comparison sites read as well. The picture is the page's
 * preview, which every listing has, as JPEG: they take neither SVG nor items without a picture.
 */
function products(origin: string, site: string, listings: readonly Named[]): string {
  const items = listings.map(
    (l) => `<item>
<g:id>${escaped(l.sn)}</g:id>
<title>${escaped(l.title)}</title>
<description>${escaped((l.description || l.title).slice(0, DESCRIPTION_CHARS).toWellFormed())}</description>
<link>${escaped(origin + l.path)}</link>
<g:image_link>${escaped(`${origin}/og/goods/${l.sn}.jpg`)}</g:image_link>
<g:availability>in_stock</g:availability>
<g:price>${yuanText(l.priceFen)} CNY</g:price>
<g:condition>used</g:condition>
<g:brand>${escaped(l.gameName)}</g:brand>
<g:product_type>${escaped(`${l.gameName} > ${goodsTypeName(l.typeId)}`)}</g:product_type>
<g:identifier_exists>no</g:identifier_exists>
</item>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">
<channel>
<title>${escaped(site)}</title>
<link>${escaped(`${origin}/`)}</link>
<description>${escaped(`${site} 在售商品`)}</description>
${items.join('\n')}
</channel>
</rss>
`;
}

interface FeedSource {
  dist(request: FastifyRequest): Distributor;
  isBackstage(request: FastifyRequest): boolean;
}

/**
 * Serves a site's feeds: `/feed.xml` with its newest listings and `/products.xml` for search engines. Both contain the listings whose
 * canonical address is on this site; they are cached for ten minutes and answer conditional requests with 304.
 */
export function registerFeeds(http: FastifyInstance, ctx: Context, source: FeedSource, limiter: Limiter): void {
  const feeds = new TtlCache<{ text: string; tag: string }>({ ttlMs: TTL_MS, max: MAX_CACHED });
  const serve = (
    path: string,
    type: string,
    limit: number,
    make: (origin: string, site: string, listings: readonly Named[]) => string,
  ): void => {
    http.get(path, async (request, reply): Promise<FastifyReply> => {
      if (source.isBackstage(request)) return reply.code(404).type('text/plain; charset=utf-8').send('Not Found');
      const dist = source.dist(request);
      limiter.take('page', { account: undefined, address: request.ip });
      // Not the Host header: a port chosen by the client would appear in every link, and each one would be cached separately.
      const origin = ctx.dir.originOf(dist.id);
      const feed = await feeds.get(`${origin}${path}`, async () => {
        const others = ctx.dir.all().flatMap(({ id }) => (id === dist.id ? [] : [id]));
        const listings = await feedListings(ctx.db, { id: dist.id, others, games: dist.games }, limit);
        const text = make(origin, dist.name, await named(ctx, listings));
        return { text, tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
      });
      reply.header('cache-control', 'public, max-age=600').header('etag', feed.tag);
      if (request.headers['if-none-match'] === feed.tag) return reply.code(304).send();
      return reply.type(type).send(feed.text);
    });
  };
  serve('/feed.xml', 'application/atom+xml; charset=utf-8', NEWEST, atom);
  serve('/products.xml', 'application/rss+xml; charset=utf-8', PRODUCTS, products);
}
