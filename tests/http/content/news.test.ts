/** News with versions and times: what is published, what is scheduled, what readers see and are notified of. */
import { chinaClock } from '#contract/rules/time/china-time.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as s from '#subjects/content/contract/staff-content.ts';
import { staffContentUpload } from '#subjects/media/contract/staff-uploads.ts';
import * as c from '#subjects/content/contract/content.ts';
import type { Input } from '#contract/endpoint.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { pictureFile, sendPicture } from '#tests/support/goods/offers.ts';
import { countRows, testRaces } from '#tests/support/orders/races.ts';

let t: TestApp;
let writer: TestStaff;
let colleague: TestStaff;

beforeAll(async () => {
  t = await testApp();
  writer = await t.newStaff({ role: 'content' });
  colleague = await t.newStaff({ role: 'content' });
});
afterAll(async () => await t.close());

let serial = 0;
const body = { category: 'notice', title: '测试公告', summary: '摘要', body: '第一段' } as const;
const save = (change: Partial<Input<typeof s.saveNews>> = {}, staff = writer) =>
  staff.client.ok(s.saveNews, { ...body, code: `news-${(serial += 1)}`, ...change });
const infoOf = async (id: number) => {
  const info = await writer.client.ok(s.staffNewsInfo, { id });
  if (!info.news) throw new Error('no article');
  return { ...info, news: info.news };
};
const china = (ms: number) => chinaClock(new Date(Date.now() + ms)).slice(0, 16);
const HOUR = 3_600_000;
const statusAt = async (id: number) => (await t.client().call(c.newsInfo, { id })).status;
const phaseOf = async (id: number) =>
  (await writer.client.ok(s.staffNewsList, {})).list.find((n) => n.id === id)?.phase;
/** Moves an article and its job by an hour, as if the hour had passed. */
async function passHour(id: number): Promise<void> {
  await sql`update news set published_at = published_at - interval '61 minutes', published_until = published_until - interval '61 minutes' where id = ${id}`.execute(
    t.ctx.db,
  );
  await sql`update timer set due_at = due_at - interval '61 minutes' where kind = 'news.begin' and ref = ${String(id)}`.execute(
    t.ctx.db,
  );
  await t.timers();
  await t.relay();
}

describe('scheduling', () => {
  test('an article is published and announced at its time and not before, and ends automatically', async () => {
    const reader = await t.newUser();
    await sql`update app_user set last_seen_at = now() where id = ${reader.id}`.execute(t.ctx.db);
    const { id } = await save({ publish: true, pinned: true, fromTime: china(HOUR), untilTime: china(1.5 * HOUR) });
    const noticeCount = () =>
      countRows(t.ctx, sql`select from notice where user_id = ${reader.id} and ref = ${`news:${id}`}`);
    await t.relay();
    await t.timers();
    expect([await statusAt(id), await phaseOf(id), await noticeCount()]).toEqual([404, 'scheduled', 0]);
    await passHour(id);
    expect([await statusAt(id), await phaseOf(id), await noticeCount()]).toEqual([200, 'live', 1]);
    await passHour(id);
    expect([await statusAt(id), await phaseOf(id)]).toEqual([404, 'ended']);
    const { list } = await t.client().ok(c.getNews, { pageSize: 50 });
    expect(list.map((n) => n.id)).not.toContain(id);
  });

  test('one that is withdrawn before its time is not announced', async () => {
    const reader = await t.newUser();
    await sql`update app_user set last_seen_at = now() where id = ${reader.id}`.execute(t.ctx.db);
    const { id } = await save({ publish: true, pinned: true, fromTime: china(HOUR) });
    await writer.client.ok(s.publishNews, { id, act: 'withdraw' });
    await passHour(id);
    expect(await statusAt(id)).toBe(404);
    expect(await countRows(t.ctx, sql`select from notice where user_id = ${reader.id} and ref = ${`news:${id}`}`)).toBe(
      0,
    );
  });

  test('an unchanged time is kept when the text is saved again; a draft can have a time', async () => {
    const { id, version } = await save({ publish: true });
    const { news } = await infoOf(id);
    await save({ id, version, code: news.code, fromTime: news.publishTime?.slice(0, 16) ?? '', title: '改过的' });
    expect((await infoOf(id)).news.publishTime).toBe(news.publishTime);
    const draft = await save({ fromTime: china(HOUR) });
    expect((await infoOf(draft.id)).news).toMatchObject({ status: 0, publishTime: `${china(HOUR)}:00+08:00` });
    await writer.client.ok(s.publishNews, { id: draft.id, act: 'publish' });
    expect(await phaseOf(draft.id)).toBe('scheduled');
  });

  test.each([
    [{ fromTime: china(-2 * HOUR) }, 'fromTime'],
    [{ fromTime: '2026-02-30T10:00' }, 'fromTime'],
    [{ fromTime: china(2 * HOUR), untilTime: china(HOUR) }, 'untilTime'],
    [{ untilTime: china(-HOUR) }, 'untilTime'],
    [{ coverKey: `${'b'.repeat(26)}-64x64` }, 'coverKey'],
    [{ gameId: 424_242 }, 'gameId'],
    [{ distId: 424_242 }, 'distId'],
    [{ code: 'fees' }, 'code'],
    [{ body: '[点](javascript:alert(1))' }, 'body'],
  ])('%j gets a field error and nothing is stored', async (change, field) => {
    const code = `bad-${(serial += 1)}`;
    const result = await writer.client.call(s.saveNews, { ...body, code, publish: true, ...change });
    expect([result.status, result.field]).toEqual([422, field]);
    expect(await countRows(t.ctx, sql`select from news where code = ${code}`)).toBe(0);
  });
});

describe('versions', () => {
  test('a draft of a published article changes nothing for readers until it is published', async () => {
    const { id, version } = await save({ publish: true, title: '第一版' });
    const { code } = (await infoOf(id)).news;
    const draft = await save({ id, version, code, title: '草稿', keepDraft: true });
    expect((await t.client().ok(c.newsInfo, { id })).title).toBe('第一版');
    expect((await infoOf(id)).news).toMatchObject({ title: '草稿', version: 2, live: 1 });
    await save({ id, version: draft.version, code, title: '草稿', publish: true });
    expect((await t.client().ok(c.newsInfo, { id })).title).toBe('草稿');
  });

  test('an older one is read and restored, and the history shows it', async () => {
    const { data: picture } = await sendPicture(writer.client, await pictureFile('png'), {
      path: staffContentUpload.path,
    });
    const { id, version } = await save({ publish: true, title: '好的', coverKey: picture.key });
    const { code } = (await infoOf(id)).news;
    const bad = await save({ id, version, code, title: '写坏了', body: '坏' });
    expect(await t.client().ok(c.newsInfo, { id })).toMatchObject({ title: '写坏了', cover: null });
    const { news: old } = await writer.client.ok(s.staffNewsVersion, { id, version: 1 });
    expect(old).toMatchObject({ title: '好的', body: '第一段', cover: picture.imageUri });
    await save(
      { id, version: bad.version, code, title: old.title, body: old.body, coverKey: picture.key, restoredFrom: 1 },
      colleague,
    );
    expect(await t.client().ok(c.newsInfo, { id })).toMatchObject({
      title: '好的',
      cover: expect.stringContaining(picture.key),
    });
    expect((await infoOf(id)).versions.map((v) => [v.version, v.title, v.restoredFrom])).toEqual([
      [3, '好的', 1],
      [2, '写坏了', null],
      [1, '好的', null],
    ]);
    expect((await writer.client.call(s.staffNewsVersion, { id, version: 9 })).status).toBe(404);
  });

  test('the installed text is kept as its first version', async () => {
    const { list } = await writer.client.ok(s.staffNewsList, { keyWord: 'fees' });
    const id = list.find((n) => n.code === 'fees')?.id ?? 0;
    const { news, versions } = await infoOf(id);
    expect(versions).toEqual([]);
    await save({
      ...news,
      id,
      version: news.version,
      gameId: undefined,
      distId: undefined,
      title: '新的费用',
      fromTime: '',
      untilTime: '',
    });
    const after = await infoOf(id);
    expect(after.versions.map((v) => [v.title, v.staffName === null])).toEqual([
      ['新的费用', false],
      [news.title, true],
    ]);
  });

  test('staff of a brand cannot read versions of other brands', async () => {
    const { id } = await save({ publish: true });
    const operator = await t.newStaff({ role: 'operator', distId: 1 });
    expect((await operator.client.call(s.staffNewsVersion, { id, version: 1 })).status).toBe(404);
    expect((await operator.client.call(s.saveNews, { ...body, code: 'mine', id, version: 1 })).status).toBe(404);
  });
});

testRaces({
  'of two concurrent editors of one article one gets the name of the other': async () => {
    const { id, version } = await save({ publish: true });
    const { code } = (await infoOf(id)).news;
    return {
      click: (n) =>
        (n % 2 ? writer : colleague).client.call(s.saveNews, { ...body, code, id, version, title: `标题${n}` }),
      done: 1,
      loserError: 'CONTENT_CHANGED',
      trace: () => countRows(t.ctx, sql`select from news_version where news_id = ${id} and version = 2`),
    };
  },
});
