import { advertFault } from '#subjects/distributors/contract/brand-content.ts';
import { PublicationStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type * as c from '#subjects/content/contract/staff-content.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { StaffCall } from '#server/access/call.ts';
import { inTransaction } from '#server/db/client.ts';
import { decrypt } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { staffPictures } from '#subjects/media/server/service.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import { contactAad } from '../business.ts';
import { siteFor, sitesOf } from '../sites.ts';
import { audit } from '#server/audit/audit.ts';
import { loadCount, pageOf } from '#server/staff/paging.ts';
import { requirePermission, ownSite } from '#server/access/permissions.ts';

/** The bus channel for published and withdrawn adverts. */
export const ADVERTS_CHANNEL = 'content.adverts';

type AdvertItem = HandlerResult<typeof c.staffAdvertList>['list'][number];

/** Adverts of the caller's sites, newest first. */
export async function listAdverts(
  { ctx, staff }: StaffCall,
  input: Parsed<typeof c.staffAdvertList>,
): Promise<HandlerResult<typeof c.staffAdvertList>> {
  requirePermission(staff, 'content.write');
  const from = sql`advert a left join staff s on s.id = a.created_by left join staff p on p.id = a.approved_by left join game g on g.id = a.game_id
    where true ${ownSite(staff, sql`a.dist_id`)} ${input.status === undefined ? sql`` : sql`and a.status = ${input.status}`}`;
  const page = pageOf(input, sql`a.id`);
  const [games, found, total] = await Promise.all([
    catalogue(ctx),
    sql<Omit<AdvertItem, 'distName'>>`
      select a.id, a.dist_id as "distId", a.position, a.game_id as "gameId", coalesce(g.name, '') as "gameName", a.device, a.title,
        a.small_title as smalltitle, a.ht_url as "htUrl", a.remind, '/img/' || a.picture_key as picture, a.status, s.name as "createdBy", p.name as "approvedBy",
        coalesce(a.created_by = ${staff.id}, false) as "isMine", a.sort, a.starts_at as "startTime", a.ends_at as "endTime"
      from ${from} ${page.behind} ${page.tail}`.execute(ctx.db),
    loadCount(ctx.db, from),
  ]);
  const { rows, next } = page.cut(found.rows);
  const list = rows.map((r) => ({
    ...r,
    distName: r.distId === null ? '全部站点' : (ctx.dir.byId(r.distId)?.name ?? ''),
  }));
  return {
    list,
    sites: sitesOf(ctx, staff),
    games: games.list().map((g) => ({ gameId: g.id, name: g.name })),
    ...total,
    next,
  };
}

/** Stores an advert, pending approval by a second person. Throws BAD_INPUT. */
export async function addAdvert(
  { ctx, staff, ip }: StaffCall,
  input: Parsed<typeof c.addAdvert>,
): Promise<{ id: number }> {
  requirePermission(staff, 'content.write');
  const distId = siteFor(ctx, staff, input.distId);
  const fault = advertFault(input);
  if (fault) throw new AppError('BAD_INPUT', fault);
  return await inTransaction(ctx.db, async (trx) => {
    const [picture] = await staffPictures(
      trx,
      staff.id,
      'content',
      input.pictureKey === undefined ? [] : [input.pictureKey],
    );
    const { rows } = await sql<{ id: number }>`
      insert into advert (dist_id, position, game_id, device, title, small_title, ht_url, remind, picture_key, sort, starts_at, ends_at, created_by)
      select ${distId}::int, ${input.position}, g.id, ${input.device}, ${input.title}, ${input.smalltitle}, ${input.htUrl}, ${input.remind},
        ${picture?.key ?? null}, ${input.sort}, coalesce(${input.startTime ?? null}::timestamptz, now()),
        coalesce(${input.startTime ?? null}::timestamptz, now()) + make_interval(days => ${input.days}), ${staff.id}
      from (select 1) one left join game g on g.id = ${input.gameId ?? null}::int
      where ${input.gameId ?? null}::int is null or g.id is not null returning id`.execute(trx);
    const row = rows[0];
    if (!row) throw new AppError('BAD_INPUT', { text: '游戏不存在', field: 'gameId' });
    await audit(trx, staff, 'content.advertAdd', `advert:${row.id}`, { title: input.title, htUrl: input.htUrl }, ip);
    return row;
  });
}

/**
 * Publishes an advert, which requires a person other than its author, or withdraws it. The condition is in the UPDATE,
 * so of two concurrent calls one throws CONTENT_CHANGED. Throws NOT_FOUND, SECOND_PERSON, CONTENT_CHANGED.
 */
export async function decideAdvert(
  { ctx, staff, ip }: StaffCall,
  { id, act: action }: Parsed<typeof c.decideAdvert>,
): Promise<{ status: number }> {
  requirePermission(staff, 'content.write');
  const decided = await inTransaction(ctx.db, async (trx) => {
    const approve = action === 'approve';
    const { rows } = await sql<{ title: string; status: number }>`
      update advert a set status = ${approve ? 1 : 2}, approved_by = ${approve ? sql`${staff.id}` : sql`a.approved_by`}
      where a.id = ${id} ${ownSite(staff, sql`a.dist_id`)}
        and ${approve ? sql`a.status = ${sql.lit(PublicationStatus.Draft)} and a.created_by is distinct from ${staff.id}` : sql`a.status <> ${sql.lit(PublicationStatus.Withdrawn)}`}
      returning a.title, a.status`.execute(trx);
    const row = rows[0];
    if (!row) {
      const now = await sql<{ status: number; mine: boolean }>`
        select a.status, a.created_by is not distinct from ${staff.id} as mine from advert a where a.id = ${id} ${ownSite(staff, sql`a.dist_id`)}`.execute(
        trx,
      );
      if (!now.rows[0]) throw new AppError('NOT_FOUND');
      throw new AppError(
        approve && now.rows[0].status === PublicationStatus.Draft && now.rows[0].mine
          ? 'SECOND_PERSON'
          : 'CONTENT_CHANGED',
      );
    }
    await audit(
      trx,
      staff,
      approve ? 'content.advertApprove' : 'content.advertOff',
      `advert:${id}`,
      { title: row.title },
      ip,
    );
    return { status: row.status };
  });
  // Cached responses are dropped after the commit.
  ctx.bus.publish(ADVERTS_CHANNEL, {});
  ctx.bus.publish('conf', {});
  return decided;
}

type BusinessItem = HandlerResult<typeof c.staffBusinessList>['list'][number];

/** Requests for co-operation, newest first, with the phone masked. */
export async function listBusiness(
  { ctx, staff }: StaffCall,
  input: Parsed<typeof c.staffBusinessList>,
): Promise<HandlerResult<typeof c.staffBusinessList>> {
  requirePermission(staff, 'content.write');
  const from = sql`cooperation_request r left join staff s on s.id = r.staff_id where true ${ownSite(staff, sql`r.dist_id`)}
    ${input.status === undefined ? sql`` : sql`and r.status = ${input.status}`}`;
  const page = pageOf(input, sql`r.id`);
  const [found, total] = await Promise.all([
    sql<Omit<BusinessItem, 'distName'> & { distId: number }>`
      select r.id, r.sn as "requestSn", r.dist_id as "distId", r.kind, r.company, r.phone_mask as "phoneMask", r.text, r.status, r.note,
        s.name as "staffName", r.created_at as "createTime" from ${from} ${page.behind} ${page.tail}`.execute(ctx.db),
    loadCount(ctx.db, from),
  ]);
  const { rows, next } = page.cut(found.rows);
  return { list: rows.map((r) => ({ ...r, distName: ctx.dir.byId(r.distId)?.name ?? '' })), ...total, next };
}

/** Decrypts the contact details of a request, with an audit entry. Throws NOT_FOUND. */
export async function revealBusiness(
  { ctx, staff, ip }: StaffCall,
  id: number,
): Promise<HandlerResult<typeof c.revealBusiness>> {
  requirePermission(staff, 'content.write');
  return await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ sn: string; name: Buffer; phone: Buffer; contact: Buffer | null }>`
      select r.sn, r.name_enc as name, r.phone_enc as phone, r.contact_enc as contact from cooperation_request r
      where r.id = ${id} ${ownSite(staff, sql`r.dist_id`)}`.execute(trx);
    const row = rows[0];
    if (!row) throw new AppError('NOT_FOUND');
    await audit(trx, staff, 'content.businessReveal', `business:${row.sn}`, {}, ip);
    const decrypted = (column: string, encrypted: Buffer) => decrypt(ctx.keys, contactAad(column, row.sn), encrypted);
    return {
      name: decrypted('name_enc', row.name),
      phone: decrypted('phone_enc', row.phone),
      contact: row.contact === null ? null : decrypted('contact_enc', row.contact),
    };
  });
}

/** Sets the state of a request. Throws NOT_FOUND. */
export async function handleBusiness(
  { ctx, staff, ip }: StaffCall,
  input: Parsed<typeof c.handleBusiness>,
): Promise<void> {
  requirePermission(staff, 'content.write');
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ sn: string }>`
      update cooperation_request r set status = ${input.status}, note = ${input.note === '' ? null : input.note}, staff_id = ${staff.id}, handled_at = now()
      where r.id = ${input.id} ${ownSite(staff, sql`r.dist_id`)} returning r.sn`.execute(trx);
    if (!rows[0]) throw new AppError('NOT_FOUND');
    await audit(trx, staff, 'content.businessHandle', `business:${rows[0].sn}`, { status: input.status }, ip);
  });
}
