import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#server/context.ts';
import { TtlCache } from '#server/kernel/cache.ts';
import type { Distributor } from '#server/directory/directory.ts';
import { catalogue, onSaleCounts, showsGame } from '#subjects/games/server/service.ts';
import { contentAddresses } from '#subjects/content/server/service.ts';
import { sitemapPart, sitemapParts } from '#subjects/goods/server/service.ts';

/** URLs that crawlers must not request: calls, personal pages, and steps of a purchase. */
const DISALLOWED = [
  '/api/',
  '/backstage',
  '/center',
  '/chatSystem',
  '/customerAssess',
  '/forgetPassword',
  '/goods/',
  '/jump',
  '/login',
  '/pay/',
  '/register',
  '/test',
  '/wares/myBrowseGoods',
  '/wares/viewed',
  '/wares/*/order',
  '/wares/*/pay',
  '/wares/*/success',
];

/** Sitemaps are regenerated after this time: crawlers visit hourly, and generating one reads thousands of rows. */
const TTL_MS = 600_000;
/** Maximum number of cached sitemap files; one part of the goods takes a megabyte. */
const MAX_CACHED = 24;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

interface Address {
  path: string;
  day?: string;
}

function urlset(origin: string, addresses: readonly Address[]): string {
  const urls = addresses.map(
    ({ path, day }) => `<url><loc>${escaped(origin + path)}</loc>${day ? `<lastmod>${day}</lastmod>` : ''}</url>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`;
}

function index(origin: string, files: readonly string[]): string {
  const maps = files.map((file) => `<sitemap><loc>${escaped(`${origin}/${file}`)}</loc></sitemap>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${maps.join('\n')}\n</sitemapindex>\n`;
}

/** Canonical URLs of a distributor's lists by game and goods type; only those with goods on sale. */
async function listAddresses(ctx: Context, dist: Distributor): Promise<Address[]> {
  const [all, counts] = await Promise.all([catalogue(ctx), onSaleCounts(ctx)]);
  return all
    .list()
    .filter(({ id }) => showsGame(dist, id))
    .flatMap(({ id }) =>
      [...(counts.get(id) ?? [])]
        .filter(([, count]) => count > 0)
        .map(([typeId]) => ({ path: `/wares?gt=${typeId}&gid=${id}` })),
    );
}

interface PageSource {
  dist(request: FastifyRequest): Distributor;
  isBackstage(request: FastifyRequest): boolean;
  /** Public paths without parameters. */
  publicPaths(): Promise<readonly string[]>;
}

/**
 * Serves `/robots.txt`, `/sitemap.xml` and its parts per distributor: under the requested host, for the games that it shows. The back
 * office and a trial disallow everything and have no sitemap.
 */
export function registerCrawlers(http: FastifyInstance, ctx: Context, source: PageSource): void {
  const sitemaps = new TtlCache<string>({ ttlMs: TTL_MS, max: MAX_CACHED });
  const originOf = (request: FastifyRequest): string => `${request.protocol}://${request.headers.host ?? ''}`;
  const missing = (reply: FastifyReply): FastifyReply =>
    reply.code(404).type('text/plain; charset=utf-8').send('Not Found');
  const map = async (
    request: FastifyRequest,
    reply: FastifyReply,
    make: (origin: string) => Promise<string>,
  ): Promise<FastifyReply> => {
    if (source.isBackstage(request) || ctx.config.trial) return missing(reply);
    const origin = originOf(request);
    const text = await sitemaps.get(`${origin}${request.url.split('?')[0] ?? ''}`, () => make(origin));
    return reply.type('application/xml; charset=utf-8').header('cache-control', 'public, max-age=600').send(text);
  };

  http.get('/robots.txt', (request, reply) => {
    const rules =
      source.isBackstage(request) || ctx.config.trial
        ? ['Disallow: /']
        : [...DISALLOWED.map((path) => `Disallow: ${path}`), '', `Sitemap: ${originOf(request)}/sitemap.xml`];
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(['User-agent: *', ...rules, ''].join('\n'));
  });
  http.get('/sitemap.xml', (request, reply) =>
    map(request, reply, async (origin) => {
      const parts = await sitemapParts(ctx.db);
      return index(origin, [
        'sitemap-pages.xml',
        ...Array.from({ length: parts }, (_, n) => `sitemap-goods-${n + 1}.xml`),
      ]);
    }),
  );
  http.get('/sitemap-pages.xml', (request, reply) =>
    map(request, reply, async (origin) => {
      const pages = (await source.publicPaths()).map((path) => ({ path }));
      const dist = source.dist(request);
      const [lists, texts] = await Promise.all([listAddresses(ctx, dist), contentAddresses(ctx.db, dist.id)]);
      return urlset(origin, [...pages, ...lists, ...texts]);
    }),
  );
  http.get<{ Params: { part: string } }>('/sitemap-goods-:part(^[1-9]\\d{0,3}).xml', async (request, reply) => {
    const part = Number(request.params.part);
    if (part > (await sitemapParts(ctx.db))) return missing(reply);
    const { id, games } = source.dist(request);
    const others = ctx.dir.all().flatMap((dist) => (dist.id === id ? [] : [dist.id]));
    return await map(request, reply, async (origin) =>
      urlset(origin, await sitemapPart(ctx.db, { id, others, games }, part)),
    );
  });
}
