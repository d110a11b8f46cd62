/** News, cases, matches and adverts as readers see them, and as the content people write and decide them. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import * as c from '#subjects/content/contract/content.ts';
import * as s from '#subjects/content/contract/staff-content.ts';
import { auditList } from '#subjects/back-office/contract/audit.ts';
import { getDistGamedsAdverList } from '#subjects/content/contract/adverts.ts';
import { getLeagueMatchList } from '#subjects/content/contract/leagues.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { addGame } from '#tests/support/goods/goods.ts';

let t: TestApp;
let writer: TestStaff;
let admin: TestStaff;
let operator: TestStaff;
let otherDist: number;

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
  const { rows } = await sql<{ id: number }>`
    insert into distributor (code, name, conf, theme) select 'other', '别家', conf, theme from distributor where id = 1 returning id`.execute(
    t.ctx.db,
  );
  otherDist = rows[0]?.id ?? 0;
  await sql`insert into dist_host (host, dist_id) values ('other.localhost', ${otherDist})`.execute(t.ctx.db);
  await t.ctx.dir.reload();
  writer = await t.newStaff({ role: 'content' });
  admin = await t.newStaff({ role: 'admin' });
  operator = await t.newStaff({ role: 'operator', distId: otherDist });
});
afterAll(async () => await t.close());

const text = {
  category: 'notice',
  title: '测试公告',
  summary: '摘要',
  body: '# 标题\n第一段\n- 一\n- 二\n[规则](/news/fees)',
} as const;
let serial = 0;
const newCode = () => `test-${(serial += 1)}`;

async function published(
  staff: TestStaff,
  overrides: Record<string, unknown> = {},
): Promise<{ id: number; code: string }> {
  const code = newCode();
  const { id } = await staff.client.ok(s.saveNews, { ...text, code, ...overrides });
  await staff.client.ok(s.publishNews, { id, act: 'publish' });
  return { id, code };
}

describe('texts of the installation', () => {
  test('exist under the codes that footer, registration and top bar link to', async () => {
    const visitor = t.client();
    const wanted = [
      'about',
      'partners',
      'contact',
      'privacy',
      'complaints',
      'disclaimer',
      'recruitment',
      'joining',
      'newgame',
      'security',
      'agreement',
      'seller-rules',
      'fees',
      'guarantee',
      'dispute-rules',
      'wechat-complaint',
    ];
    for (const code of wanted) {
      const article = await visitor.ok(c.newsInfo2, { code });
      expect(article.blocks.length, code).toBeGreaterThan(3);
      expect((await visitor.ok(c.newsInfo, { id: article.id })).code).toBe(code);
    }
    expect((await visitor.call(c.newsInfo2, { code: 'no-such' })).status).toBe(404);
    const { rows } = await sql<{ code: string }>`select distinct code from legal_text order by code`.execute(t.ctx.db);
    expect(rows.map((r) => r.code)).toEqual(['adult', 'privacy', 'user_agreement']);
  });

  test('name a dispute as every page does', async () => {
    const agreement = await t.client().ok(c.newsInfo2, { code: 'agreement' });
    expect(JSON.stringify(agreement.blocks)).toContain(
      '保护期结束前申诉，平台按公布的规则处理，流程见《申诉与裁决规则》',
    );
    expect(agreement.legal).toMatchObject({ code: 'user_agreement', version: 2 });
    const { rows } = await sql<{ code: string }>`
      select code from news where code <> 'agreement' and concat(title, summary, blocks) like '%维权%'`.execute(
      t.ctx.db,
    );
    expect(rows).toEqual([]);
  });

  test('are paged by a cursor without gaps, by category and by keyword', async () => {
    const visitor = t.client();
    const first = await visitor.ok(c.getNews, { pageSize: '5' });
    const seen = [...first.list];
    for (let next = first.next; next !== null; ) {
      const page = await visitor.ok(c.getNews, { pageSize: '5', cursor: next });
      seen.push(...page.list);
      next = page.next;
    }
    expect(seen).toHaveLength(first.total);
    expect(new Set(seen.map((n) => n.id)).size).toBe(first.total);
    const rules = await visitor.ok(c.getNews, { category: 'rule', pageSize: '50' });
    expect(rules.total).toBe(first.counts.rule);
    expect(rules.list.every((n) => n.category === 'rule')).toBe(true);
    expect((await visitor.ok(c.getNews, { keyWord: '100%' })).list).toEqual([]);
    expect((await visitor.call(c.getNews, { cursor: 'WyJ4IiwxLDJd' })).status).toBe(422);
  });
});

describe('writing', () => {
  test('hides drafts from readers, publishes, withdraws, and is audited', async () => {
    const code = newCode();
    const { id, version } = await writer.client.ok(s.saveNews, { ...text, code });
    expect((await t.client().call(c.newsInfo2, { code })).status).toBe(404);
    await writer.client.ok(s.publishNews, { id, act: 'publish' });
    const article = await t.client().ok(c.newsInfo2, { code });
    expect(article.blocks).toEqual([
      { t: 'h', text: '标题' },
      { t: 'p', text: '第一段' },
      { t: 'li', text: '一' },
      { t: 'li', text: '二' },
      { t: 'link', text: '规则', url: '/news/fees' },
    ]);
    const again = await writer.client.ok(s.saveNews, { ...text, code, id, version, title: '改过的' });
    expect((await t.client().ok(c.newsInfo2, { code })).title).toBe('改过的');
    // Somebody who still has the older text does not write over the newer one.
    const tooLate = await admin.client.call(s.saveNews, { ...text, code, id, version });
    expect(tooLate.code).toBe(codes.CONTENT_CHANGED[0]);
    expect((await writer.client.ok(s.staffNewsInfo, { id })).news).toMatchObject({
      version: again.version,
      status: 1,
    });
    await writer.client.ok(s.publishNews, { id, act: 'withdraw' });
    expect((await t.client().call(c.newsInfo2, { code })).status).toBe(404);
    const { list } = await admin.client.ok(auditList, { group: 'content' });
    expect(list.map((a) => a.actName)).toEqual(
      expect.arrayContaining(['新建公告', '修改公告', '发布内容', '撤下内容']),
    );
  });

  test('saves one of two concurrent versions', async () => {
    const code = newCode();
    const { id, version } = await writer.client.ok(s.saveNews, { ...text, code });
    const saves = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        writer.client.call(s.saveNews, { ...text, code, id, version, title: `标题${n}` }),
      ),
    );
    expect(saves.filter((r) => r.code === 0)).toHaveLength(1);
  });

  test('keeps markup as text and rejects invalid input with a message', async () => {
    const { code } = await published(writer, { title: '<b>粗</b>', body: '<script>alert(1)</script>' });
    expect(await t.client().ok(c.newsInfo2, { code })).toMatchObject({
      title: '<b>粗</b>',
      blocks: [{ t: 'p', text: '<script>alert(1)</script>' }],
    });
    for (const [wrong, message] of [
      [{ body: '[点](javascript:alert(1))' }, '链接不正确'],
      [{ body: ' \n ' }, '正文'],
      [{ code: 'a b' }, '代码'],
      [{ code: 'fees' }, '已被使用'],
      [{ category: 'nothing' }, '分类'],
      [{ gameId: 999_999 }, '游戏不存在'],
      [{ distId: 999 }, '站点不存在'],
      [{ title: '' }, '标题'],
    ] as const) {
      const rejected = await writer.client.call(s.saveNews, { ...text, code: newCode(), ...wrong } as never);
      expect(rejected.status, JSON.stringify(wrong)).toBe(422);
      expect(rejected.msg).toContain(message);
    }
  });

  test('needs the content permission; an operator writes for one site only', async () => {
    const kefu = await t.newStaff({ role: 'service' });
    expect((await kefu.client.call(s.staffNewsList, {})).status).toBe(403);
    expect((await t.client().call(s.staffNewsList, {})).status).toBe(404);
    const { id, code } = await published(operator, { distId: 1 });
    expect((await t.client().call(c.newsInfo2, { code })).status).toBe(404);
    expect((await t.client({ host: 'other.localhost' }).ok(c.newsInfo2, { code })).id).toBe(id);
    const platform = await published(writer);
    expect((await operator.client.call(s.staffNewsInfo, { id: platform.id })).status).toBe(404);
    expect((await operator.client.call(s.publishNews, { id: platform.id, act: 'withdraw' })).status).toBe(404);
    expect((await operator.client.ok(s.staffNewsList, {})).list.map((n) => n.id)).toEqual([id]);
  });
});

describe('cases', () => {
  test('are written, published and read together with similar ones', async () => {
    const ids: number[] = [];
    for (const amount of ['2600.00', ''] as const) {
      const { id } = await writer.client.ok(s.saveCase, {
        code: newCode(),
        kind: 'claim',
        title: '找回赔付',
        summary: '到期自动赔付',
        amount,
        result: '全额赔付',
        happenedDay: '2026-10-01',
        body: '经过',
      } as never);
      await writer.client.ok(s.publishCase, { id, act: 'publish' });
      ids.push(id);
    }
    const { list, total } = await t.client().ok(c.eventCaseList, { kind: 'claim' });
    expect(total).toBe(2);
    expect(list.map((x) => x.amount)).toEqual([null, '2600.00']);
    const [first = 0] = ids;
    const info = await t.client().ok(c.eventCaseInfo, { caseId: first });
    expect(info).toMatchObject({ kindName: '包赔理赔', happenedDay: '2026-10-01', result: '全额赔付' });
    expect(info.related.map((r) => r.caseId)).toEqual([ids[1]]);
    expect((await t.client().ok(c.eventCaseList, { kind: 'fraud' })).list).toEqual([]);
    expect((await t.client().call(c.eventCaseInfo, { caseId: 999_999 })).status).toBe(404);
    for (const amount of ['NaN', '1e3', '0.001', '-1', '1,00', '99999999999'])
      expect(
        (
          await writer.client.call(s.saveCase, {
            code: newCode(),
            kind: 'claim',
            title: '标题',
            summary: '摘要',
            amount,
            body: '正文',
          })
        ).status,
        amount,
      ).toBe(422);
  });
});

describe('adverts', () => {
  const advert = {
    position: 'game_top' as const,
    title: '活动',
    htUrl: '/news',
    gameId: undefined as number | undefined,
  };
  const visibleOn = async (host = 'localhost') =>
    (await t.client({ host }).ok(getDistGamedsAdverList, { gameId: 0 })).list.map((a) => a.id);

  test('are shown once a second person has approved, and not after', async () => {
    const { id } = await writer.client.ok(s.addAdvert, { ...advert, remind: '1' });
    expect(await visibleOn()).not.toContain(id);
    expect((await writer.client.call(s.decideAdvert, { id, act: 'approve' })).code).toBe(codes.SECOND_PERSON[0]);
    const decided = await Promise.all([1, 2, 3].map(() => admin.client.call(s.decideAdvert, { id, act: 'approve' })));
    expect(decided.filter((r) => r.code === 0)).toHaveLength(1);
    expect(await visibleOn()).toContain(id);
    await sql`update advert set ends_at = now(), starts_at = now() - interval '1 day' where id = ${id}`.execute(
      t.ctx.db,
    );
    expect(await visibleOn()).not.toContain(id);
    await admin.client.ok(s.decideAdvert, { id, act: 'off' });
    expect((await admin.client.call(s.decideAdvert, { id, act: 'approve' })).code).toBe(codes.CONTENT_CHANGED[0]);
  });

  test('link to pages only, on their sites', async () => {
    for (const htUrl of ['javascript:alert(1)', '//evil.cn', '/\\evil.cn', 'news'])
      expect((await writer.client.call(s.addAdvert, { ...advert, htUrl })).status, htUrl).toBe(422);
    const { id } = await operator.client.ok(s.addAdvert, { ...advert, distId: 1 });
    await admin.client.ok(s.decideAdvert, { id, act: 'approve' });
    expect(await visibleOn()).not.toContain(id);
    expect(await visibleOn('other.localhost')).toContain(id);
  });
});

describe('matches', () => {
  test('are listed by day, earliest first, with the available days and leagues', async () => {
    const { rows } = await sql<{ id: number }>`insert into league (game_id, name, starts_on, ends_on)
      select min(id), '联赛', current_date, current_date + 30 from game returning id`.execute(t.ctx.db);
    await sql`insert into league_team (name, short_name) values ('甲', 'A'), ('乙', 'B')`.execute(t.ctx.db);
    for (const hours of [30, 5, -30])
      await sql`insert into league_match (league_id, home_id, away_id, starts_at)
        select ${rows[0]?.id}, h.id, a.id, date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai' + make_interval(hours => ${hours})
        from league_team h, league_team a where h.name = '甲' and a.name = '乙'`.execute(t.ctx.db);
    const open = await t.client().ok(getLeagueMatchList, {});
    expect(open.total).toBe(2);
    expect(open.list.map((m) => m.startTime)).toEqual(open.list.map((m) => m.startTime).toSorted());
    expect(open.days).toHaveLength(3);
    expect(open.leagues).toMatchObject([{ name: '联赛', matches: 3 }]);
    const [past] = open.days;
    const day = await t.client().ok(getLeagueMatchList, { day: past?.day ?? '' });
    expect(day.list).toMatchObject([{ home: { name: '甲', score: 0 }, statusName: '未开始' }]);
    for (const wrong of ['2026-13-01', '2026-1-1', 'today'])
      expect((await t.client().call(getLeagueMatchList, { day: wrong })).status, wrong).toBe(422);
  });
});

describe('a request for cooperation', () => {
  const input = {
    kind: 'studio',
    name: '李女士',
    phone: '13900000012',
    contact: 'wx_li2026',
    content: '代练工作室合作',
  } as const;
  test('is stored encrypted, opened with an audit entry, and limited per day', async () => {
    const { requestSn } = await t.client().ok(c.setDistBus, input);
    const { rows } = await sql<{
      plain: string;
    }>`select r::text as plain from cooperation_request r where sn = ${requestSn}`.execute(t.ctx.db);
    expect(rows[0]?.plain).not.toContain('13900000012');
    const { list } = await writer.client.ok(s.staffBusinessList, { status: 'new' });
    const item = list.find((r) => r.requestSn === requestSn);
    expect(item).toMatchObject({ phoneMask: '139****0012', text: '代练工作室合作' });
    expect((await operator.client.call(s.revealBusiness, { id: item?.id ?? 0 })).status).toBe(404);
    expect(await writer.client.ok(s.revealBusiness, { id: item?.id ?? 0 })).toEqual({
      name: '李女士',
      phone: '13900000012',
      contact: 'wx_li2026',
    });
    await writer.client.ok(s.handleBusiness, { id: item?.id ?? 0, status: 'talking', note: '已电话联系' });
    expect((await admin.client.ok(auditList, { keyWord: requestSn })).list.map((a) => a.actName)).toEqual([
      '处理合作申请',
      '查看合作申请的联系方式',
    ]);
    const more = await Promise.all(Array.from({ length: 6 }, () => t.client().call(c.setDistBus, input)));
    expect(more.filter((r) => r.code === 0)).toHaveLength(4);
    for (const wrong of [{ phone: '123' }, { name: '' }, { content: '短' }, { kind: 'x' }])
      expect((await t.client().call(c.setDistBus, { ...input, ...wrong } as never)).status, JSON.stringify(wrong)).toBe(
        422,
      );
  });
});
