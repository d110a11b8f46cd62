import { GoodsStatus, isPrivateGoods } from '#contract/rules/statuses.ts';
import { hostsOf } from '#server/access/tenant.ts';
import type { Binding } from '#server/binding.ts';
import { COVER_SIZES, type CoverSize, drawCover } from '#server/art/cover.ts';
import { TtlCache } from '#server/kernel/cache.ts';
import { AppError } from '#server/kernel/errors.ts';
import { showsGame } from '#subjects/games/server/service.ts';
import { gameCover, loadOpener, sendArt } from '#subjects/media/server/service.ts';
import { listingCover, mayViewRequest } from './covers.ts';

/** About 3 kB each. */
const MAX_CACHED = 2_000;
const TTL_MS = 600_000;
/**
 * A URL names the version of the listing, so its content changes only by the percentiles among other listings ('超过
 * 91%'), which drift over days; figures of providers change by the hour.
 */
const WEEK = 'public, max-age=604800, stale-while-revalidate=604800';
const HOUR = 'public, max-age=3600';
/** A URL with an old version, or none, serves the current cover. */
const BRIEFLY = 'public, max-age=300';

/** Only some may see the cover of an account in recycling. */
const PRIVATELY = 'private, max-age=300';

const isPublic = (status: number): boolean => !isPrivateGoods(status) && status !== GoodsStatus.Removed;

const isSize = (size: string): size is CoverSize => Object.hasOwn(COVER_SIZES, size);

/**
 * Serves `/cover/{sn}/{size}.svg?v={version}`, the cover of a listing. One that is not public (a draft, in review, rejected,
 * removed) is served only by a URL with its current version, which its seller and its reviewers have. Any other URL of
 * it, for example one stored in an order, shows the cover of its game. So does that of an account in recycling to who may not see it.
 */
export function registerCovers({ ctx, http }: Binding): void {
  const hosts = hostsOf(ctx);
  const cache = new TtlCache<
    { svg: string; age: string; gameId: number; gameCode: string; isOpen: boolean; isRecycled: boolean } | undefined
  >({
    ttlMs: (drawn) => (drawn ? TTL_MS : 0),
    max: MAX_CACHED,
  });
  http.get<{ Params: { sn: string; size: string }; Querystring: { v?: unknown } }>(
    '/cover/:sn/:size.svg',
    async (request, reply) => {
      const { sn, size } = request.params;
      const asked = typeof request.query.v === 'string' ? request.query.v : '';
      if (!/^[A-Za-z0-9]{1,32}$/.test(sn) || !isSize(size) || !/^[a-f0-9]{0,8}$/.test(asked))
        throw new AppError('NOT_FOUND');
      const drawn = await cache.get(`${sn} ${size} ${asked}`, async () => {
        const listing = await listingCover(ctx, sn);
        if (!listing) return undefined;
        const isCurrent = asked === listing.version;
        return {
          svg: drawCover(listing.cover, size),
          age: isCurrent ? (listing.isService ? HOUR : WEEK) : BRIEFLY,
          gameId: listing.gameId,
          gameCode: listing.gameCode,
          isOpen: isCurrent || isPublic(listing.status),
          isRecycled: listing.isRecycled,
        };
      });
      if (!drawn) throw new AppError('GOODS_NOT_FOUND');
      if (drawn.isRecycled) {
        const caller = await loadOpener(ctx, request, hosts);
        if (!(await mayViewRequest(ctx, sn, caller)))
          return await reply.header('cache-control', 'no-store').redirect(gameCover(drawn.gameCode));
      }
      const isShown = hosts.isBackstage(request) || showsGame(hosts.dist(request), drawn.gameId);
      if (!drawn.isOpen || !isShown)
        return await reply.header('cache-control', BRIEFLY).redirect(gameCover(drawn.gameCode));
      return sendArt(reply, drawn.svg, drawn.isRecycled ? PRIVATELY : drawn.age);
    },
  );
}
