import { OrderType } from '#subjects/orders/rules/order-types.ts';
import type { FastifyReply } from 'fastify';
import { sql } from 'kysely';
import { type Mask, MASKS } from '#server/art/mask.ts';
import { firstCharacter } from '#server/art/svg.ts';
import { hashOf, initialOf } from './rules.ts';

/** The content of a picture's address never changes. */
export const FOREVER = 'public, max-age=31536000, immutable';
/** An SVG opened as a document can neither run nor load anything. */
const ART_CSP = "default-src 'none'; style-src 'unsafe-inline'";

/** Answers with a drawn picture. */
export function sendArt(reply: FastifyReply, drawn: string, cache = FOREVER): FastifyReply {
  return reply
    .header('cache-control', cache)
    .header('content-security-policy', ART_CSP)
    .header('cross-origin-resource-policy', 'same-site')
    .type('image/svg+xml; charset=utf-8')
    .send(drawn);
}

/** The character on a game's icon: the one set by staff, otherwise the first of its name. */
export const glyphOf = ({ glyph, name }: { glyph: string; name: string }): string =>
  initialOf(glyph === '' ? name : glyph);

/** The mask of a companion without a picture: always the same for the same person. */
export const maskOf = (userId: number, name: string, hasVoice: boolean): Mask => ({
  index: hashOf(String(userId)) % MASKS,
  hue: (hashOf(firstCharacter(name)) % 24) * 15,
  hasVoice,
});

/** Address of a companion's mask. */
export function maskUrl(mask: Mask): string {
  return `/art/mask/${mask.index}/${mask.hue}/${mask.hasVoice ? 1 : 0}.svg`;
}

/** The version of the cover of a listing `g`: a hash of what it shows. The price is included only for coin, whose cover shows the units per yuan. */
export const COVER_VERSION = sql`left(md5(concat_ws('|', g.type_id, g.area_id, to_char(g.inspected_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD'),
  case when g.type_id in (${sql.lit(OrderType.Coin)}, ${sql.lit(OrderType.Ingots)}) then g.price_fen end, case when g.type_id in (${sql.lit(OrderType.Coin)}, ${sql.lit(OrderType.Ingots)}, ${sql.lit(OrderType.Items)}) then g.stock end, g.attrs::text)), 8)`;

/** The cover of a listing `g`, as a PictureItem. */
export const COVER_ITEM = sql`jsonb_build_object('cover', g.sn, 'v', ${COVER_VERSION})`;

/** The main picture of a listing `g`: the seller's first one, otherwise its cover. */
export const FIRST_PICTURE = sql`coalesce(g.pictures->0, ${COVER_ITEM})`;
