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

/** Plants a row of the first site for the lists of the back office that `everything` leaves empty. */
export async function plantRows(planting: Planting): Promise<void> {
  await plantWrites(planting);
  await plantServices(planting);
  await plantPerson(planting);
  await plantReports(planting);
  await planting.t.relay();
}
