import { sql } from 'kysely';
import type {
  staffAppealList,
  staffBlackList,
  staffFakeList,
  staffNumberList,
} from '#subjects/verification/contract/staff-trust.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import { blackStatusNames, blackReasonNames, blackKindNames, fakeKindNames } from '../../rules/black.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { decrypt, encrypt } from '#server/kernel/secrets/crypto.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type PictureItem, pictureUrls } from '#subjects/media/server/service.ts';
import { BLACK_COLUMNS, type BlackRow } from '../black.ts';
import { maskNumber, numberIndex } from '../numbers.ts';
import { contactAad, reportAad } from '../service-check.ts';

/** A page of a queue for a distributor's staff (null = all distributors). */
export interface TrustQuery {
  distId: number | null;
  cursor?: string | undefined;
  pages?: number | undefined;
  pageSize?: number | undefined;
}

const PAGE_SIZE = 30;
const COUNTED = 1000;

const picturesOf = (items: PictureItem[]) =>
  items.map((item, i) => {
    const { url, thumb } = pictureUrls(item, '', i);
    return { url, thumb };
  });

/** One page of a list ordered by id. */
function pageOf(q: TrustQuery, rising: boolean) {
  const size = q.pageSize ?? PAGE_SIZE;
  const from = decodeId(q.cursor);
  const offset = from === undefined ? ((q.pages ?? 1) - 1) * size : 0;
  return {
    behind: from === undefined ? sql`true` : rising ? sql`e.id > ${from}` : sql`e.id < ${from}`,
    tail: sql`order by e.id ${sql.raw(rising ? 'asc' : 'desc')} limit ${size + 1} offset ${offset}`,
    async cut<R extends { id: number }>(db: Trx, rows: readonly R[], from_: ReturnType<typeof sql>) {
      const page = rows.slice(0, size);
      const last = rows.length > size ? page.at(-1) : undefined;
      const counted = await sql<{ n: number }>`
        select count(*)::int as n from (select from ${from_} limit ${COUNTED + 1}) c`.execute(db);
      const n = counted.rows[0]?.n ?? 0;
      return {
        rows: page,
        tail: { total: Math.min(n, COUNTED), totalCapped: n > COUNTED, next: last ? encodeCursor([last.id]) : null },
      };
    },
  };
}

const scope = (distId: number | null) => sql`(${distId}::int is null or e.dist_id = ${distId}::int)`;

interface StaffBlackRow extends BlackRow {
  text: string;
  publicText: string | null;
  pictures: PictureItem[];
  reporter: string | null;
  orderSn: string | null;
  reviewer: string | null;
}

/** Entries of a status with all details for review; pending ones oldest first. */
export async function blackQueue(
  ctx: Context,
  q: TrustQuery & { status: keyof typeof blackStatusNames; keyWord?: string | undefined },
): Promise<HandlerResult<typeof staffBlackList>> {
  const page = pageOf(q, q.status === 'reviewing');
  const keyword = q.keyWord;
  const filter = sql`black_entry e where e.status = ${q.status} and ${scope(q.distId)}
    and ${
      keyword === undefined
        ? sql`true`
        : sql`(e.sn = ${keyword.toUpperCase()} or e.title ilike ${`%${keyword.replace(/[\\%_]/g, '\\$&')}%`}
      or exists (select from black_key k where k.entry_id = e.id and k.value_hash = ${numberIndex(ctx.keys, keyword)}))`
    }`;
  const { rows } = await sql<StaffBlackRow>`
    select ${BLACK_COLUMNS}, e.text, e.public_text as "publicText", e.pictures, u.nick_name as reporter, o.sn as "orderSn", s.name as reviewer
    from black_entry e left join game g on g.id = e.game_id left join app_user u on u.id = e.reporter_id
      left join orders o on o.id = e.order_id left join staff s on s.id = e.reviewed_by
    where e.id in (select e.id from ${filter}) and ${page.behind} ${page.tail}`.execute(ctx.db);
  const [cut, counts] = await Promise.all([
    page.cut(ctx.db, rows, filter),
    sql<{ status: string; n: number }>`
      select e.status, count(*)::int as n from black_entry e where ${scope(q.distId)} group by 1`.execute(ctx.db),
  ]);
  return {
    list: cut.rows.map((row) => ({
      blackSn: row.sn,
      title: row.title,
      reasonName: blackReasonNames[row.reason],
      gameName: row.gameName ?? '',
      amount: row.amountFen,
      accounts: row.accounts.map(({ kind, mask }) => ({ kindName: blackKindNames[kind], mask })),
      content: row.text,
      publicText: row.publicText ?? '',
      pictures: picturesOf(row.pictures),
      status: row.status,
      statusName: blackStatusNames[row.status],
      reporter: row.reporter ?? '平台',
      orderSn: row.orderSn,
      reviewer: row.reviewer,
      note: row.reviewNote,
      expireTime: row.expiresAt,
      createTime: row.createdAt,
    })),
    counts: Object.fromEntries(counts.rows.map(({ status, n }) => [status, n])),
    ...cut.tail,
  };
}

/** Pending appeals, oldest first: their time limit runs from their creation. */
export async function appealQueue(
  ctx: Context,
  q: TrustQuery & { staffId: number },
): Promise<HandlerResult<typeof staffAppealList>> {
  const page = pageOf(q, true);
  const filter = sql`black_appeal e join black_entry b on b.id = e.entry_id where e.status = 'reviewing'
    and (${q.distId}::int is null or b.dist_id = ${q.distId}::int)`;
  const { rows } = await sql<{
    id: number;
    sn: string;
    title: string;
    publicText: string | null;
    nickName: string;
    text: string;
    pictures: PictureItem[];
    isMine: boolean;
    answerBy: Date;
    createdAt: Date;
  }>`
    select e.id, b.sn, b.title, b.public_text as "publicText", u.nick_name as "nickName", e.text, e.pictures,
      b.reviewed_by is not distinct from ${q.staffId} as "isMine", e.answer_by as "answerBy", e.created_at as "createdAt"
    from black_appeal e join black_entry b on b.id = e.entry_id join app_user u on u.id = e.user_id
    where e.status = 'reviewing' and (${q.distId}::int is null or b.dist_id = ${q.distId}::int) and ${page.behind} ${page.tail}`.execute(
    ctx.db,
  );
  const cut = await page.cut(ctx.db, rows, filter);
  return {
    list: cut.rows.map((row) => ({
      appealId: row.id,
      blackSn: row.sn,
      title: row.title,
      publicText: row.publicText ?? '',
      appellant: row.nickName,
      content: row.text,
      pictures: picturesOf(row.pictures),
      isMine: row.isMine,
      answerByTime: row.answerBy,
      createTime: row.createdAt,
    })),
    ...cut.tail,
  };
}

/** Reports of false customer services, oldest first, with the number in the clear: a reviewer must compare it. */
export async function fakeQueue(ctx: Context, q: TrustQuery): Promise<HandlerResult<typeof staffFakeList>> {
  const page = pageOf(q, true);
  const filter = sql`fake_service_report e where e.status = 'reviewing' and ${scope(q.distId)}`;
  const { rows } = await sql<{
    id: number;
    kind: keyof typeof fakeKindNames;
    valueEnc: Buffer;
    contactEnc: Buffer | null;
    text: string;
    pictures: PictureItem[];
    reporter: string | null;
    same: number;
    createdAt: Date;
  }>`
    select e.id, e.kind, e.value_enc as "valueEnc", e.contact_enc as "contactEnc", e.text, e.pictures, u.nick_name as reporter,
      (select count(*)::int from fake_service_report o where o.value_hash = e.value_hash) as same, e.created_at as "createdAt"
    from fake_service_report e left join app_user u on u.id = e.user_id
    where e.status = 'reviewing' and ${scope(q.distId)} and ${page.behind} ${page.tail}`.execute(ctx.db);
  const cut = await page.cut(ctx.db, rows, filter);
  return {
    list: cut.rows.map((row) => ({
      reportId: row.id,
      kind: row.kind,
      kindName: fakeKindNames[row.kind],
      value: decrypt(ctx.keys, reportAad(row.id), row.valueEnc),
      content: row.text,
      contact: row.contactEnc && decrypt(ctx.keys, contactAad(row.id), row.contactEnc),
      reporter: row.reporter,
      pictures: picturesOf(row.pictures),
      sameCount: row.same,
      createTime: row.createdAt,
    })),
    ...cut.tail,
  };
}

const numberAad = (id: number): string => `official_number.value_enc:${id}`;

/** Numbers that are ours today; a distributor's staff see theirs and the platform's. */
export async function officialNumbers(ctx: Context, q: TrustQuery): Promise<HandlerResult<typeof staffNumberList>> {
  const page = pageOf(q, false);
  const filter = sql`official_number e where e.valid_until is null and (${q.distId}::int is null or e.dist_id is null or e.dist_id = ${q.distId}::int)`;
  const { rows } = await sql<{
    id: number;
    kind: keyof typeof fakeKindNames;
    valueEnc: Buffer;
    name: string;
    duty: string;
    shown: boolean;
    site: string | null;
    createdAt: Date;
  }>`
    select e.id, e.kind, e.value_enc as "valueEnc", e.name, e.duty, e.show_value is not null as shown, d.name as site, e.created_at as "createdAt"
    from official_number e left join distributor d on d.id = e.dist_id
    where e.id in (select e.id from ${filter}) and ${page.behind} ${page.tail}`.execute(ctx.db);
  const cut = await page.cut(ctx.db, rows, filter);
  return {
    list: cut.rows.map((row) => ({
      numberId: row.id,
      kind: row.kind,
      kindName: fakeKindNames[row.kind],
      value: decrypt(ctx.keys, numberAad(row.id), row.valueEnc),
      name: row.name,
      duty: row.duty,
      shown: row.shown,
      siteName: row.site ?? '全部站点',
      createTime: row.createdAt,
    })),
    ...cut.tail,
  };
}

export interface OfficialNumber {
  /** null = of the platform, true on every site. */
  distId: number | null;
  kind: keyof typeof fakeKindNames;
  value: string;
  name: string;
  duty: string;
  shown: boolean;
  staffId: number | null;
}

/** Registers a number as ours. Throws BAD_INPUT when it is registered already. */
export async function registerNumber(ctx: Pick<Context, 'keys'>, trx: Trx, number: OfficialNumber): Promise<number> {
  const next = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('official_number', 'id')) as id`.execute(trx);
  const id = Number(next.rows[0]?.id);
  const { rows } = await sql`
    insert into official_number (id, dist_id, kind, value_hash, value_enc, value_mask, show_value, name, duty, created_by)
    overriding system value
    values (${id}, ${number.distId}, ${number.kind}, ${numberIndex(ctx.keys, number.value)}, ${encrypt(ctx.keys, numberAad(id), number.value)},
      ${maskNumber(number.value)}, ${number.shown ? number.value : null}, ${number.name}, ${number.duty}, ${number.staffId})
    on conflict do nothing returning id`.execute(trx);
  if (rows.length === 0) throw new AppError('BAD_INPUT', { text: '这个号码已登记', field: 'value' });
  return id;
}

/** Removes a number of ours; returns false when it is not registered, or is another distributor's. */
export async function retireNumber(trx: Trx, numberId: number, distId: number | null): Promise<boolean> {
  const { rows } = await sql`
    update official_number set valid_until = greatest(now(), valid_from + interval '1 microsecond')
    where id = ${numberId} and valid_until is null and (${distId}::int is null or dist_id = ${distId}::int) returning id`.execute(
    trx,
  );
  return rows.length > 0;
}
