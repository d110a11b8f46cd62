import { sql } from 'kysely';
import QRCode from 'qrcode';
import { visibleTitle } from '#contract/rules/contacts/contacts.ts';
import { offerMoney } from '../../rules/listing-states.ts';
import { hostsOf } from '#server/access/tenant.ts';
import { siteFees } from '#server/directory/directory.ts';
import { TtlCache } from '#server/kernel/cache.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogue, showsGame } from '#subjects/games/server/service.ts';
import { COVER_VERSION, drawShareCard, type PictureItem } from '#subjects/media/server/service.ts';
import type { Binding } from '#server/binding.ts';
import { listingCover } from '../cover/covers.ts';

interface Row {
  gameId: number;
  title: string;
  priceFen: number;
  version: number;
  picture: PictureItem | null;
  coverVersion: string;
}

/** Publicly visible states: on sale, off sale, ordered, sold, seller absent. */
const PUBLIC = [2, 3, 4, 5, 7];
/** About 60 kB each. */
const MAX_CACHED = 150;
const TTL_MS = 3_600_000;

/** Serves `/og/goods/{sn}.jpg`, the preview image of a listing's page, drawn at most once an hour, and the code of its URL. */
export function registerShareCards({ ctx, http, limiter }: Binding): void {
  const hosts = hostsOf(ctx);
  const cache = new TtlCache<Buffer>({ ttlMs: TTL_MS, max: MAX_CACHED });
  http.get<{ Params: { sn: string } }>('/art/qr/goods/:sn.svg', async (request, reply) => {
    const { sn } = request.params;
    if (!/^[A-Za-z0-9]{1,32}$/.test(sn) || hosts.isBackstage(request)) throw new AppError('NOT_FOUND');
    // A listing page with the wrong path redirects to the right one.
    const url = `${request.protocol}://${request.headers.host ?? ''}/detail/${sn.toUpperCase()}`;
    const code = await QRCode.toString(url, { type: 'svg', margin: 0 });
    return await reply.header('cache-control', 'public, max-age=86400').type('image/svg+xml').send(code);
  });
  http.get<{ Params: { sn: string } }>('/og/goods/:sn.jpg', async (request, reply) => {
    const { sn } = request.params;
    const dist = hosts.dist(request);
    if (!/^[A-Za-z0-9]{1,32}$/.test(sn) || hosts.isBackstage(request)) throw new AppError('NOT_FOUND');
    const { rows } = await sql<Row>`
      select game_id as "gameId", title, price_fen as "priceFen", version, g.pictures->0 as picture,
        ${COVER_VERSION} as "coverVersion" from goods g where sn = ${sn.toUpperCase()} and status = any(${PUBLIC}::smallint[])`.execute(
      ctx.db,
    );
    const row = rows[0];
    const game = row && (await catalogue(ctx)).game(row.gameId);
    if (!row || !game || !showsGame(dist, row.gameId)) throw new AppError('GOODS_NOT_FOUND');
    const { allInFen } = offerMoney(row.priceFen, siteFees(ctx.dir, dist));
    const etag = `"${dist.id}-${sn}-${row.version}-${row.coverVersion}-${allInFen}"`;
    reply.header('cache-control', 'public, max-age=3600').header('etag', etag);
    if (request.headers['if-none-match'] === etag) return await reply.code(304).send();
    const drawn = await cache.get(etag, async () => {
      // Only drawing is rate-limited: it takes most of a second; a cached image costs nothing.
      limiter.take('draw', { account: undefined, address: request.ip });
      return await drawShareCard(ctx, {
        picture: row.picture,
        cover: (await listingCover(ctx, sn))?.cover,
        gameName: game.name,
        title: visibleTitle(row.title),
        allInFen,
        siteName: dist.name,
        siteHue: dist.conf.theme.hue,
      });
    });
    return await reply.type('image/jpeg').send(drawn);
  });
}
