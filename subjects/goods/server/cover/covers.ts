import { sql } from 'kysely';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { isService } from '#subjects/orders/rules/order-types.ts';
import { GoodsStatus, RecyclerStatus } from '#contract/rules/statuses.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import type { Caller } from '#server/access/session.ts';
import type { Context } from '#server/context.ts';
import type { Cover } from '#server/art/cover.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import { COVER_VERSION, glyphOf, secondsOfVoice } from '#subjects/media/server/service.ts';
import { coverOf, recyclingCover, type ServiceParts } from './parts.ts';
import { accountScale, scaleFrom } from './scale.ts';

interface Row {
  gameId: number;
  typeId: number;
  areaId: number | null;
  priceFen: number;
  stock: number;
  attrs: Record<string, unknown>;
  status: number;
  inspectedDay: string | null;
  version: string;
  service: (Omit<ServiceParts, 'onTimeRate' | 'voiceSeconds'> & { onTimeCount: number; voice: string | null }) | null;
  isRecycled: boolean;
}

/** The cover data of a listing, and its permitted viewers. */
export interface ListingCover {
  cover: Cover;
  gameId: number;
  gameCode: string;
  status: number;
  /** The current version in the listing's cover URLs. */
  version: string;
  /** Shows figures of its provider, which change with every order. */
  isService: boolean;
  /** Of an account in recycling, which only some may see (mayViewRequest). */
  isRecycled: boolean;
}

/** Minimum number of orders for showing the share of punctual ones. */
const ENOUGH_ORDERS = 10;

function serviceOf({ service }: Row): ServiceParts | null {
  if (!service) return null;
  const { onTimeCount, voice, ...rest } = service;
  return {
    ...rest,
    onTimeRate: rest.doneCount < ENOUGH_ORDERS ? null : Math.round((onTimeCount / rest.doneCount) * 1000) / 10,
    voiceSeconds: voice === null ? null : (secondsOfVoice(voice) ?? null),
  };
}

/** A listing, or the account of a recycling request. */
async function loadRow(ctx: Context, sn: string): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select g.game_id as "gameId", g.type_id as "typeId", g.area_id as "areaId", g.price_fen as "priceFen",
      g.stock, g.attrs, g.status, to_char(g.inspected_at at time zone 'Asia/Shanghai', 'MM-DD') as "inspectedDay", ${COVER_VERSION} as version,
      case when p.id is not null then json_build_object('rankFrom', k.rank_from, 'rankTo', k.rank_to, 'minutes', k.minutes * k.min_units,
        'parts', jsonb_array_length(k.milestones), 'safetyFen', k.safety_fen, 'together', k.mode <> 'account', 'userId', p.user_id,
        'name', p.name, 'doneCount', p.done_count, 'onTimeCount', p.on_time_count, 'voice', p.voice) end as service, false as "isRecycled"
    from goods g left join service_package k on k.goods_id = g.id left join provider p on p.id = k.provider_id
    where g.sn = ${sn.toUpperCase()}
    union all
    select r.game_id, 1, r.area_id, 0, 1, r.details, ${GoodsStatus.OffSale}::smallint, null, '', null, true
    from recycle_request r where r.sn = ${sn.toUpperCase()}`.execute(ctx.db);
  return rows[0];
}

/** The cover of a listing or of an account in recycling, by its number; undefined for an unknown one. */
export async function listingCover(ctx: Context, sn: string): Promise<ListingCover | undefined> {
  const [row, all] = await Promise.all([loadRow(ctx, sn), catalogue(ctx)]);
  const game = row && all.known(row.gameId);
  if (!row || !game) return undefined;
  const { typeId, priceFen, stock, attrs, inspectedDay } = row;
  const draw = row.isRecycled ? recyclingCover : coverOf;
  const cover = draw({
    typeId,
    priceFen,
    stock,
    attrs,
    inspectedDay,
    region: (row.areaId === null ? undefined : all.area(row.areaId)?.name) ?? '',
    game: { name: game.name, char: glyphOf(game), hue: game.hue, scene: game.scene },
    fields: all.fieldsOf(game.id, typeId),
    gameFields: game.fields,
    scale: accountTypes.includes(typeId) ? await accountScale(ctx, game.id) : scaleFrom([]),
    service: serviceOf(row),
  });
  return {
    cover,
    gameId: game.id,
    gameCode: game.code,
    status: row.status,
    version: row.version,
    isService: isService(typeId),
    isRecycled: row.isRecycled,
  };
}

/** SQL: recycling request `r` is not read yet; its values are kept from staff until then (decision 747). */
const IS_UNREAD = sql`r.status in ('bidding', 'quoted', 'accepted')`;

/**
 * Whether a caller may see the cover of a recycling request, which is drawn from what its seller stated: the seller, the buyer, the recyclers who
 * have bid or may bid, and staff who read orders of its brand, once nobody has to read the account any more (decision 767).
 */
export async function mayViewRequest(
  { db }: Context,
  sn: string,
  { user, staff }: Pick<Caller, 'user' | 'staff'>,
): Promise<boolean> {
  if (!user && !(staff && staffCan(staff, 'order.read'))) return false;
  const isAllowed = user
    ? sql`r.user_id = ${user.id} or exists (select from orders o where o.id = r.order_id and o.buyer_id = ${user.id})
        or exists (select from recycle_quote q where q.request_id = r.id and q.recycler_id = ${user.id})
        or r.status = 'bidding' and exists (select from recycler c where c.user_id = ${user.id} and c.status = ${sql.lit(RecyclerStatus.Active)}
          and not c.is_platform and (cardinality(c.games) = 0 or r.game_id = any(c.games)))`
    : sql`not ${IS_UNREAD} and coalesce(r.dist_id = ${staff?.distId ?? null}::int, true)`;
  const { rows } = await sql`select from recycle_request r where r.sn = ${sn.toUpperCase()} and (${isAllowed})`.execute(
    db,
  );
  return rows.length > 0;
}
