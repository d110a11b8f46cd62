/** Rows of a site for the lists of the back office, so that an empty list of another site proves something. */
import { sql } from 'kysely';
import { saveCanned } from '#contract/im-support.ts';
import { setDistBus } from '#contract/content.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { goodsReportReasons, reportGoods } from '#contract/question.ts';
import { endpoints } from '#contract/registry.ts';
import { reportFakeService } from '#contract/verification.ts';
import { addBoostGame, openedBooster, serviceTrade } from './boosting.ts';
import type { TestApp, TestStaff, TestUser } from './build.ts';
import { addPlayGame, companionTrade, openedCompanion } from './companion.ts';
import { addGoods } from './goods.ts';
import type { Owned } from './ownership.ts';

export interface Planting {
  t: TestApp;
  /** Staff of the platform. */
  chief: TestStaff;
  /** An administrator of the first site. */
  local: TestStaff;
  owned: Owned;
  /** What honest staff type into fields. */
  inputOf: (endpoint: Endpoint) => Record<string, string>;
}

/** What staff of a site write for their own site, with inputs of the right form. */
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

async function plantServices({ t, chief }: Planting): Promise<void> {
  await addBoostGame(t);
  await addPlayGame(t);
  await serviceTrade(t, await openedBooster(t, chief), { accepted: false });
  await companionTrade(t, await openedCompanion(t, chief), 'paid');
}

/** Money, notes and links of a person of the site. */
async function plantPerson({ t, owned }: Planting): Promise<void> {
  const { db } = t.ctx;
  await sql`insert into payout_account (user_id, kind, account_enc, account_hash, account_mask, name_enc)
    values (${owned.ownerId}, 'alipay', 'x', 'x', 'h***', 'x')`.execute(db);
  await sql`insert into withdrawal (sn, dist_id, user_id, payout_account_id, amount_fen, fee_fen)
    select 'W111111111', 1, user_id, id, 1000, 0 from payout_account where user_id = ${owned.ownerId}`.execute(db);
}

async function plantReports({ t, owned }: Planting): Promise<void> {
  const person: TestUser = await t.newUser();
  await sql`update goods set status = 2 where sn = ${owned.goodsSn}`.execute(t.ctx.db);
  const { list } = await person.client.ok(goodsReportReasons, { goodsSn: owned.goodsSn });
  const [reason] = list.filter(({ evidence }) => evidence !== 'required');
  const report = { goodsSn: owned.goodsSn, reason: reason?.code ?? '', note: '标题与图片不符' };
  await person.client.ok(reportGoods, report);
  await person.client.ok(reportFakeService, { kind: 'qq', value: '899999999', content: '冒充客服要我转账' } as never);
  await person.client.ok(setDistBus, { name: '王先生', phone: '13800000000', content: '谈谈商务合作的事' });
  await addGoods(t.ctx, { sellerId: person.id, status: 1 });
  await sql`insert into black_appeal (entry_id, user_id, text, answer_by)
    select id, ${person.id}, '不是我做的，请再看看', now() + interval '3 days' from black_entry order by id limit 1`.execute(
    t.ctx.db,
  );
}

/** An article, a case and a league with a match of the site. Case and league are the first of their kind: calls of one thing ask for number 1. */
async function plantContent({ t, local }: Planting): Promise<void> {
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

/** Plants a row of the first site for the lists of the back office that `everything` leaves empty. */
export async function plantRows(planting: Planting): Promise<void> {
  await plantContent(planting);
  await plantWrites(planting);
  await plantServices(planting);
  await plantPerson(planting);
  await plantReports(planting);
  await plantRecords(planting);
  await planting.t.relay();
}
