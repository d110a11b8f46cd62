/** Leagues, teams and matches: written in the back office, visible immediately to readers of one brand or of all. */
import { chinaDay, dayAfter } from '#contract/rules/time/china-time.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as c from '#subjects/content/contract/staff-leagues.ts';
import { staffContentUpload } from '#subjects/media/contract/staff-uploads.ts';
import { codes } from '#contract/codes.ts';
import type { Input } from '#contract/endpoint.ts';
import { getLeagueMatchList } from '#subjects/content/contract/leagues.ts';
import { createBrand } from '#subjects/distributors/server/service.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { addGame } from '#tests/support/goods/goods.ts';
import { pictureFile, sendPicture } from '#tests/support/goods/offers.ts';
import { countRows, testRaces } from '#tests/support/orders/races.ts';

let t: TestApp;
let writer: TestStaff;
let colleague: TestStaff;
let own: TestStaff;
let distId: number;
let gameId: number;
let teams: readonly [number, number];

const dayIn = (days: number) => dayAfter(chinaDay(new Date()), days);
const at = (days: number, clock = '19:30') => `${dayIn(days)}T${clock}`;
const visible = async (host = 'localhost', input: Input<typeof getLeagueMatchList> = {}) =>
  await t.client({ host }).ok(getLeagueMatchList, input);

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
  const { rows } = await sql<{ id: number }>`select min(id) as id from game`.execute(t.ctx.db);
  gameId = rows[0]?.id ?? 0;
  const brand = { code: 'moon', name: '月光游戏', host: 'moon.localhost', reason: '新开品牌' };
  ({ distId } = await createBrand(t.ctx, { id: null }, brand));
  writer = await t.newStaff({ role: 'content' });
  colleague = await t.newStaff({ role: 'content' });
  own = await t.newStaff({ role: 'operator', distId });
  const team = async (name: string, shortName: string) => (await writer.client.ok(c.saveTeam, { name, shortName })).id;
  teams = [await team('江城鹤鸣', 'JCH'), await team('南岸潮声', 'NAC')];
});
afterAll(async () => await t.close());

let serial = 0;
async function newLeague(staff = writer, change: Partial<Input<typeof c.saveLeague>> = {}, isPublished = true) {
  const name = `城市杯 ${(serial += 1)}`;
  const body = { gameId, name, stage: '第一周', startDay: dayIn(-3), endDay: dayIn(10), ...change };
  const { id } = await staff.client.ok(c.saveLeague, body);
  if (isPublished) await staff.client.ok(c.publishLeague, { id, act: 'publish' });
  return id;
}
const matchOf = (leagueId: number, change: Partial<Input<typeof c.saveMatch>> = {}) => ({
  leagueId,
  homeId: teams[0],
  awayId: teams[1],
  startTime: at(1),
  bestOf: 5,
  status: 'waiting' as const,
  ...change,
});
const newMatch = async (leagueId: number, change: Partial<Input<typeof c.saveMatch>> = {}, staff = writer) =>
  await staff.client.ok(c.saveMatch, matchOf(leagueId, change));

describe('what staff publish is visible to readers', () => {
  test('a league with its matches, pictures, score and order, only while it is published', async () => {
    const { data: picture } = await sendPicture(writer.client, await pictureFile('png', 400, 400), {
      path: staffContentUpload.path,
    });
    const withLogo = await writer.client.ok(c.saveTeam, {
      name: '古都长安',
      shortName: 'GDC',
      pictureKey: picture.key,
    });
    const id = await newLeague(writer, { name: '峡谷杯', pictureKey: picture.key, sort: 1 }, false);
    const { id: matchId } = await newMatch(id, { homeId: withLogo.id, watchUrl: 'https://live.example.com/1' });
    const named = async () => (await visible()).list.find((m) => m.id === matchId);
    expect(await named()).toBeUndefined();
    await writer.client.ok(c.publishLeague, { id, act: 'publish' });
    expect(await named()).toMatchObject({
      leagueName: '峡谷杯',
      stage: '第一周',
      startTime: `${at(1)}:00+08:00`,
      status: 'waiting',
      home: { name: '古都长安', shortName: 'GDC', logo: expect.stringContaining(picture.key), score: 0 },
      watchUrl: 'https://live.example.com/1',
    });
    const score = { ...matchOf(id, { homeId: withLogo.id, status: 'over', homeScore: 3, awayScore: 1 }), id: matchId };
    await writer.client.ok(c.saveMatch, { ...score, version: 1 });
    expect(await named()).toMatchObject({
      statusName: '已结束',
      home: { score: 3 },
      away: { score: 1 },
      watchUrl: null,
    });
    const later = await newLeague(writer, { name: '排在前面', sort: 0 });
    await newMatch(later);
    const { leagues } = await visible();
    expect(leagues.filter((l) => [id, later].includes(l.leagueId)).map((l) => l.leagueId)).toEqual([later, id]);
    expect(leagues.find((l) => l.leagueId === id)?.logo).toContain(picture.key);
    await writer.client.ok(c.publishLeague, { id, act: 'withdraw' });
    expect(await named()).toBeUndefined();
    const { rows } = await sql<{
      act: string;
    }>`select act from audit_log where target in (${`league:${id}`}, ${`match:${matchId}`}) order by id`.execute(
      t.ctx.db,
    );
    expect(rows.map((r) => r.act)).toEqual([
      'content.leagueAdd',
      'content.matchAdd',
      'content.publish',
      'content.matchEdit',
      'content.withdraw',
    ]);
  });

  test('a league of a brand is on its site only, one of the platform on every site', async () => {
    const brands = await newLeague(own);
    const everybody = await newLeague(writer);
    const [inBrand, inAll] = [(await newMatch(brands, {}, own)).id, (await newMatch(everybody)).id];
    const ids = async (host: string) =>
      (await visible(host)).list.map((m) => m.id).filter((n) => [inBrand, inAll].includes(n));
    expect(new Set(await ids('moon.localhost'))).toEqual(new Set([inBrand, inAll]));
    expect(await ids('localhost')).toEqual([inAll]);
  });

  test('a deleted match is gone, and matches that need their score are counted', async () => {
    const id = await newLeague();
    const { id: past } = await newMatch(id, { startTime: at(-1) });
    const { id: mistake, version } = await newMatch(id, { startTime: at(2) });
    await writer.client.ok(c.removeMatch, { id: mistake, version });
    const { list } = await writer.client.ok(c.staffLeagueList, { keyWord: '城市杯' });
    expect(list.find((l) => l.id === id)).toMatchObject({ matches: 1, overdue: 1, nextTime: null });
    const matches = await writer.client.ok(c.staffMatchList, { leagueId: id });
    expect(matches.list).toMatchObject([{ id: past, isOverdue: true, home: { name: '江城鹤鸣' } }]);
  });

  test('the list of matches is paged by cursor', async () => {
    const id = await newLeague();
    for (const clock of ['10:00', '11:00', '12:00']) await newMatch(id, { startTime: at(1, clock) });
    const first = await writer.client.ok(c.staffMatchList, { leagueId: id, pageSize: 2 });
    const second = await writer.client.ok(c.staffMatchList, { leagueId: id, pageSize: 2, cursor: first.next ?? '' });
    const times = [...first.list, ...second.list].map((m) => m.startTime.slice(11, 16));
    expect([times, first.total, second.next]).toEqual([['10:00', '11:00', '12:00'], 3, null]);
  });
});

describe('invalid input gets a field error', () => {
  test.each([
    [{ name: '杯' }, 'name'],
    [{ gameId: 424_242 }, 'gameId'],
    [{ distId: 424_242 }, 'distId'],
    [{ startDay: '2026-02-30' }, 'startDay'],
    [{ endDay: '2020-01-01' }, 'endDay'],
    [{ sort: 1000 }, 'sort'],
    [{ pictureKey: `${'b'.repeat(26)}-64x64` }, 'pictureKey'],
  ])('league %j', async (change, field) => {
    const body = { gameId, name: '坏赛事', startDay: dayIn(0), endDay: dayIn(1), ...change };
    const result = await writer.client.call(c.saveLeague, body);
    expect([result.status, result.field]).toEqual([422, field]);
    expect(await countRows(t.ctx, sql`select from league where name in ('坏赛事', '杯')`)).toBe(0);
  });

  test.each([
    [{ awayId: () => teams[0] }, 'awayId'],
    [{ homeId: () => 424_242 }, 'homeId'],
    [{ startTime: () => at(400) }, 'startTime'],
    [{ startTime: () => '2026-02-30T19:30' }, 'startTime'],
    [{ startTime: () => 'tomorrow' }, 'startTime'],
    [{ bestOf: () => 2 }, 'bestOf'],
    [{ homeScore: () => 1 }, 'status'],
    [{ watchUrl: () => 'javascript:alert(1)' }, 'watchUrl'],
  ])('match %#', async (change, field) => {
    const id = await newLeague();
    const values = Object.fromEntries(
      Object.entries(change).map(([name, value]) => [name, (value as () => unknown)()]),
    );
    const result = await writer.client.call(c.saveMatch, { ...matchOf(id), ...values });
    expect([result.status, result.field]).toEqual([422, field]);
    expect((await writer.client.ok(c.staffMatchList, { leagueId: id })).list).toEqual([]);
  });

  test('dates that exclude matches, a name in use, a team in a match', async () => {
    const id = await newLeague();
    await newMatch(id, { startTime: at(5) });
    const body = { id, version: 2, gameId, name: '改短', startDay: dayIn(0), endDay: dayIn(4) };
    const shorter = await writer.client.call(c.saveLeague, body);
    expect([shorter.status, shorter.field, shorter.msg]).toEqual([422, 'startDay', expect.stringContaining(dayIn(5))]);
    const duplicate = await writer.client.call(c.saveTeam, { name: '江城鹤鸣', shortName: 'J' });
    expect([duplicate.status, duplicate.field]).toEqual([422, 'name']);
    expect((await writer.client.call(c.removeTeam, { id: teams[0] })).msg).toBe('这支战队有比赛，不能删除；可以改名');
    const { id: idle } = await writer.client.ok(c.saveTeam, { name: '没打过', shortName: 'M' });
    await writer.client.ok(c.removeTeam, { id: idle });
    expect((await writer.client.ok(c.staffTeamList, { keyWord: '没打过' })).total).toBe(0);
  });
});

describe('staff of a brand', () => {
  test('cannot see or change data of the platform or another brand', async () => {
    const id = await newLeague(writer);
    const { id: matchId, version } = await newMatch(id);
    const results = [
      await own.client.call(c.staffLeagueInfo, { id }),
      await own.client.call(c.publishLeague, { id, act: 'withdraw' }),
      await own.client.call(c.staffMatchList, { leagueId: id }),
      await own.client.call(c.saveMatch, { ...matchOf(id), id: matchId, version }),
      await own.client.call(c.removeMatch, { id: matchId, version }),
      await own.client.call(c.saveTeam, { id: teams[0], version: 1, name: '改名', shortName: 'X' }),
      await own.client.call(c.removeTeam, { id: teams[0] }),
    ];
    expect(results.map((r) => r.status)).toEqual(results.map(() => 404));
    expect((await own.client.ok(c.staffLeagueList, {})).list.map((l) => l.distId)).not.toContain(null);
  });

  test('create own teams, which other leagues cannot choose', async () => {
    const { id } = await own.client.ok(c.saveTeam, { name: '月光队', shortName: 'YG' });
    const brands = await newLeague(own);
    await newMatch(brands, { homeId: id }, own);
    expect((await own.client.ok(c.staffLeagueInfo, {})).teams.map((x) => x.teamId)).toContain(id);
    const platform = await newLeague(writer);
    const rejected = await writer.client.call(c.saveMatch, matchOf(platform, { homeId: id }));
    expect([rejected.status, rejected.field]).toEqual([422, 'homeId']);
    const { list } = await own.client.ok(c.staffTeamList, {});
    expect(list.find((x) => x.id === id)).toMatchObject({ mayEdit: true, distName: '月光游戏', matches: 1 });
    expect(list.find((x) => x.id === teams[0])).toMatchObject({ mayEdit: false, distName: '' });
  });
});

testRaces({
  'of two concurrent scores of one match one gets a conflict': async () => {
    const id = await newLeague();
    const match = await newMatch(id, { startTime: at(0, '00:30') });
    const score = (n: number) => matchOf(id, { startTime: at(0, '00:30'), status: 'playing', homeScore: n % 3 });
    return {
      click: (n) => (n % 2 ? writer : colleague).client.call(c.saveMatch, { ...score(n), id: match.id, version: 1 }),
      done: 1,
      loserError: 'CONTENT_CHANGED',
      trace: () => countRows(t.ctx, sql`select from league_match where id = ${match.id} and version = 2`),
    };
  },
  'a match entered twice concurrently is stored once': async () => {
    const id = await newLeague();
    return {
      click: (n) => (n % 2 ? writer : colleague).client.call(c.saveMatch, matchOf(id)),
      done: 1,
      loserError: 'BAD_INPUT',
      trace: () => countRows(t.ctx, sql`select from league_match where league_id = ${id}`),
    };
  },
});

test('shortening the dates while a match is entered never excludes the match', async () => {
  const id = await newLeague();
  const body = { id, version: 2, gameId, name: '同时', startDay: dayIn(0), endDay: dayIn(4) };
  const [cut, entered] = await Promise.all([
    writer.client.call(c.saveLeague, body),
    colleague.client.call(c.saveMatch, matchOf(id, { startTime: at(6) })),
  ]);
  expect([cut.code, entered.code].filter((code) => code === 0)).toHaveLength(1);
  expect([cut.code, entered.code]).toContain(codes.BAD_INPUT[0]);
});
