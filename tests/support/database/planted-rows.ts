/** Rows of a site for the lists of the back office, so that an empty list of another site proves something. */
import { sql } from 'kysely';
import { emptyContent } from '#subjects/distributors/contract/brand-content.ts';
import { saveCanned } from '#subjects/chat/contract/im-support.ts';
import { setDistBus } from '#subjects/content/contract/content.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { goodsReportReasons, reportGoods } from '#subjects/questions/contract/question.ts';
import { endpoints } from '#contract/registry.ts';
import { reportFakeService } from '#subjects/verification/contract/verification.ts';
import { addBoostGame, openedBooster, serviceTrade } from '../services/boosting.ts';
import type { TestApp, TestStaff, TestUser } from '../servers/build.ts';
import { addPlayGame, companionTrade, openedCompanion } from '../services/companion.ts';
import { addGoods } from '../goods/goods.ts';
import type { Owned } from '../calls/ownership.ts';

/** The planted version of the first site's brand. */
const BRAND_VERSION = 900;

export interface Planting {
  t: TestApp;
  /** Staff of the platform. */
  chief: TestStaff;
  /** An administrator of the first site. */
  local: TestStaff;
  owned: Owned;
  /** Returns valid input of staff. */
  inputOf: (endpoint: Endpoint) => Record<string, string>;
}

/** Calls with which staff of a site write for it, with inputs of the right form. */
const WRITES = [
  'content/saveNews',
  'content/saveCase',
  'content/addAdvert',
  'trust/addNumber',
  'im/saveRule',
  'im/saveShift',
  'list/saveView',
  'user/note',
] as const;

async function plantWrites({ local, inputOf }: Planting): Promise<void> {
  for (const name of WRITES) {
    const found = endpoints.find((e) => e.path === `/api/backstage/${name}`);
    // A call that is gone leaves its list empty, which the test of that list reports.
    if (found) await local.client.call(found, inputOf(found) as never);
  }
  const canned = { mine: '0', grp: '问候', title: '第一站的问候', text: '第一站的客服为您服务' };
  await local.client.ok(saveCanned, canned as never);
}

/** Orders of services; the number of the boosting order. */
async function plantServices({ t, chief }: Planting): Promise<string> {
  await addBoostGame(t);
  await addPlayGame(t);
  const { orderSn } = await serviceTrade(t, await openedBooster(t, chief), { accepted: false });
  await companionTrade(t, await openedCompanion(t, chief), 'paid');
  return orderSn;
}

/** Money, a role and a link of a person of the site. */
async function plantPerson({ t, owned }: Planting): Promise<void> {
  const { db } = t.ctx;
  const friend: TestUser = await t.newUser();
  await sql`insert into provider (dist_id, user_id, kind, name) values (1, ${owned.ownerId}, 'shop', '第一站小店')`.execute(
    db,
  );
  await sql`insert into user_browser (user_id, browser_hash)
    values (${owned.ownerId}, 'one-browser'::bytea), (${friend.id}, 'one-browser'::bytea)`.execute(db);
  await sql`insert into payout_account (user_id, kind, account_enc, account_hash, account_mask, name_enc)
    values (${owned.ownerId}, 'alipay', 'x', 'x', 'h***', 'x')`.execute(db);
  await sql`insert into withdrawal (sn, dist_id, user_id, payout_account_id, amount_fen, fee_fen)
    select 'W111111111', 1, user_id, id, 1000, 0 from payout_account where user_id = ${owned.ownerId}`.execute(db);
}

/** Reports of users, and a listing that waits for its review; the number of the listing. */
async function plantReports({ t, owned }: Planting): Promise<string> {
  const person: TestUser = await t.newUser();
  await sql`update goods set status = 2 where sn = ${owned.goodsSn}`.execute(t.ctx.db);
  const { list } = await person.client.ok(goodsReportReasons, { goodsSn: owned.goodsSn });
  const [reason] = list.filter(({ evidence }) => evidence !== 'required');
  const report = { goodsSn: owned.goodsSn, reason: reason?.code ?? '', note: '标题与图片不符' };
  await person.client.ok(reportGoods, report);
  await person.client.ok(reportFakeService, { kind: 'qq', value: '899999999', content: '冒充客服要我转账' } as never);
  await person.client.ok(setDistBus, { name: '王先生', phone: '13800000000', content: '谈谈商务合作的事' });
  const waiting = await addGoods(t.ctx, { sellerId: person.id, status: 1 });
  await sql`insert into black_appeal (entry_id, user_id, text, answer_by)
    select id, ${person.id}, '不是我做的，请再看看', now() + interval '3 days' from black_entry order by id limit 1`.execute(
    t.ctx.db,
  );
  return waiting.sn;
}

/** An article, a case, a league with a match, and a version of the brand. Case and league are the first of their kind: calls of one thing ask for number 1. Returns the article's number. */
async function plantContent({ t, local }: Planting): Promise<string> {
  const { db } = t.ctx;
  const blocks = '[{"t":"p","text":"第一站的一段"}]';
  await sql`insert into news (code, dist_id, category, title, blocks, author_id)
    values ('first-site', 1, 'notice', '第一站的公告', ${blocks}::jsonb, ${local.id})`.execute(db);
  await sql`insert into news_version (news_id, version, content, created_by)
    select id, version, jsonb_build_object('code', code, 'distId', dist_id, 'category', category, 'gameId', null, 'title', title,
      'summary', '', 'blocks', blocks, 'pinned', false, 'coverKey', null), author_id from news where code = 'first-site'`.execute(
    db,
  );
  await sql`insert into event_case (code, dist_id, kind, title, summary, blocks, author_id)
    values ('first-case', 1, 'recovered', '第一站的案例', '号被找回，已赔付', ${blocks}::jsonb, ${local.id})`.execute(
    db,
  );
  await sql`insert into league (dist_id, game_id, name, starts_on, ends_on, created_by)
    values (1, 1, '第一站联赛', current_date, current_date + 30, ${local.id})`.execute(db);
  await sql`insert into league_team (dist_id, name, short_name) values (1, '第一站甲队', '甲'), (1, '第一站乙队', '乙')`.execute(
    db,
  );
  await sql`insert into league_match (league_id, home_id, away_id, starts_at)
    select l.id, min(w.id), max(w.id), now() + interval '1 day' from league l, league_team w group by l.id`.execute(db);
  const brand = { ...emptyContent('第一站'), menus: [{ title: '第一站的链接', url: '/news' }] };
  await sql`insert into brand_version (dist_id, version, content, reason, created_by)
    values (1, ${BRAND_VERSION}, ${JSON.stringify(brand)}::jsonb, '第一站的版本', ${local.id})`.execute(db);
  const { rows } = await sql<{ id: number }>`select id from news where code = 'first-site'`.execute(db);
  return String(rows[0]?.id ?? 0);
}

/** A table of stock of a seller of the site, and a review of the named order that somebody has reported. */
async function plantRecords({ t, local, owned }: Planting): Promise<void> {
  const { db } = t.ctx;
  await sql`insert into import_job (staff_id, dist_id, seller_id, file_name, bytes, total_rows, done_rows, refused, status)
    values (${local.id}, 1, ${owned.ownerId}, '第一站库存.csv', 100, 1, 1, 1, 'done')`.execute(db);
  await sql`insert into import_row (job_id, line, verdict, note, cells)
    select id, 2, 'refused', '缺少标题', '{"标题":"第一站的货"}' from import_job`.execute(db);
  await sql`insert into order_review (order_id, belong, user_id, target_id, score, content, dist_id, type_id)
    select id, 0, buyer_id, seller_id, 1, '第一站的评价', 1, type_id from orders where id = ${owned.orderId}`.execute(
    db,
  );
  await sql`insert into review_report (review_id, dist_id, part, user_id, reason)
    select id, 1, 'review', target_id, 'abuse' from order_review`.execute(db);
}

/** Inserts rows that only staff of the site own or request: a passkey, a shared view of a list, and a settlement. */
async function plantStaffRows({ t, local }: Planting): Promise<void> {
  const { db } = t.ctx;
  await sql`insert into staff_passkey (staff_id, credential_id, public_key, name, synced)
    values (${local.id}, 'first-site-credential', 'x'::bytea, '第一站的钥匙', false)`.execute(db);
  await sql`insert into staff_view (staff_id, dist_id, list, name, query, shared)
    values (${local.id}, 1, 'orders', '第一站的视图', '', true)`.execute(db);
  await sql`insert into dist_settlement (sn, dist_id, amount_fen, asked_by) values ('S111111111', 1, 10000, ${local.id})`.execute(
    db,
  );
}

/** Inserts an inspection's readings, a member's message, and a trade of today. */
async function plantReadings({ t, local, owned }: Planting): Promise<void> {
  const { db } = t.ctx;
  await sql`update inspection_task set status = 'claimed', staff_id = ${local.id} where id = ${owned.taskId}`.execute(
    db,
  );
  await sql`update inspection_task set status = 'review' where id = ${owned.taskId}`.execute(db);
  await sql`insert into inspection_reading (task_id, field, label, said, found, differs)
    values (${owned.taskId}, 'skins', '皮肤数量', '300', '299', true)`.execute(db);
  await sql`insert into recycle_reading (request_id, field, label, said, found, cut_fen, staff_id)
    select id, 'skins', '皮肤数量', '300', '299', 100, ${local.id} from recycle_request where sn = ${owned.requestSn}`.execute(
    db,
  );
  await sql`insert into chat_message (group_id, seq, uid, sender, client_msg_id, type, content)
    select group_id, max(seq) + 1, 'planted', 'u' || ${String(owned.ownerId)}::text, 'planted', 'text', '{"content":"已付款，请看一下"}'
    from chat_message where group_id = ${owned.groupId} group by group_id`.execute(db);
  await sql`insert into trade_day (day, dist_id, game_id, type_id, paid, paid_fen)
    values ((now() at time zone 'Asia/Shanghai')::date, 1, 1, 27, 1, 10000)
    on conflict (day, dist_id, game_id, type_id) do update set paid_fen = greatest(trade_day.paid_fen, 10000)`.execute(
    db,
  );
}

/**
 * Plants a row of the first site for the lists of the back office that `everything` leaves empty. Returns what calls that read one thing
 * have to name, by call.
 */
export async function plantRows(planting: Planting): Promise<Record<string, Record<string, string>>> {
  const newsId = await plantContent(planting);
  await plantWrites(planting);
  const boostSn = await plantServices(planting);
  await plantPerson(planting);
  const waitingSn = await plantReports(planting);
  await plantRecords(planting);
  await plantStaffRows(planting);
  await plantReadings(planting);
  await planting.t.relay();
  return {
    'boosting/info': { orderSn: boostSn },
    'brand/version': { distId: '1', version: String(BRAND_VERSION) },
    'content/newsInfo': { id: newsId },
    'goods/review': { goodsSn: waitingSn },
  };
}
