/** A site as an installable web app: `/manifest.webmanifest` and its icons, per distributor. */
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#server/context.ts';
import type { Distributor } from '#server/directory/directory.ts';
import { TtlCache } from '#server/kernel/cache.ts';
import { AppError } from '#server/kernel/errors.ts';
import { drawSiteIcon, siteColour } from '#subjects/media/server/service.ts';

const TTL_MS = 600_000;
const MAX_CACHED = 200;
/** Platforms may truncate longer names. */
const SHORT_NAME = 12;

const ICONS = {
  '48': { size: 48, kind: 'any' },
  '180': { size: 180, kind: 'opaque' },
  '192': { size: 192, kind: 'any' },
  '512': { size: 512, kind: 'any' },
  'maskable-512': { size: 512, kind: 'maskable' },
} as const;

interface Hosts {
  dist(request: FastifyRequest): Distributor;
  isBackstage(request: FastifyRequest): boolean;
}

/** Changes with everything that an icon is drawn from, so that a new icon gets a new URL. */
const iconVersion = ({ conf, code }: Distributor): string =>
  createHash('sha256')
    .update(`${code} ${conf.pictArea.webIcon} ${conf.theme.hue} ${conf.theme.chroma}`)
    .digest('hex')
    .slice(0, 8);

function manifestOf(dist: Distributor): object {
  const { distBaseConf, theme } = dist.conf;
  const icon = (name: keyof typeof ICONS, purpose: 'any' | 'maskable') => ({
    src: `/art/app/${name}.png?v=${iconVersion(dist)}`,
    sizes: `${ICONS[name].size}x${ICONS[name].size}`,
    type: 'image/png',
    purpose,
  });
  return {
    id: '/',
    name: distBaseConf.websiteName,
    short_name: [...distBaseConf.websiteName].slice(0, SHORT_NAME).join(''),
    description: distBaseConf.websiteDesc,
    lang: 'zh-CN',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: siteColour(theme.hue, theme.chroma),
    background_color: '#ffffff',
    categories: ['games', 'shopping'],
    icons: [icon('192', 'any'), icon('512', 'any'), icon('maskable-512', 'maskable')],
    shortcuts: [
      { name: '找商品', url: '/wares' },
      { name: '我的订单', url: '/center/buyGoodsOrder' },
      { name: '交易群', url: '/chatSystem' },
    ],
  };
}

/** Serves the manifest and the icons of the requested host's distributor. The back office is not an installable app. */
export function registerWebApp(http: FastifyInstance, ctx: Context, hosts: Hosts): void {
  const icons = new TtlCache<Buffer>({ ttlMs: TTL_MS, max: MAX_CACHED });
  http.get('/manifest.webmanifest', async (request, reply) => {
    if (hosts.isBackstage(request)) return await reply.code(404).type('text/plain; charset=utf-8').send('Not Found');
    return await reply
      .type('application/manifest+json; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(JSON.stringify(manifestOf(hosts.dist(request))));
  });
  const sendIcon = async (request: FastifyRequest, reply: FastifyReply, name: keyof typeof ICONS) => {
    const dist = hosts.dist(request);
    const key = `${dist.id} ${iconVersion(dist)} ${name}`;
    const png = await icons.get(key, () => drawSiteIcon(ctx, dist, ICONS[name]));
    return await reply.type('image/png').header('cache-control', 'public, max-age=86400').send(png);
  };
  http.get<{ Params: { name: string } }>('/art/app/:name.png', async (request, reply) => {
    const { name } = request.params;
    if (!Object.hasOwn(ICONS, name)) throw new AppError('NOT_FOUND');
    return await sendIcon(request, reply, name as keyof typeof ICONS);
  });
  // Requested without a link on any page: by search engines, and by devices that add a site to their home screen.
  http.get('/favicon.ico', (request, reply) => sendIcon(request, reply, '48'));
  http.get('/apple-touch-icon.png', (request, reply) => sendIcon(request, reply, '180'));
}
