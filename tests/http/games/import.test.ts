/** Files of games: the round trip, the diff, refusal with lines, and that nothing is half applied. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCatalogue, exportGames, importGames, listShippedGames } from '#subjects/games/server/service.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';

let t: TestApp;
const by = { staffId: null, reason: '测试' };

beforeAll(async () => {
  t = await testApp({});
});
afterAll(async () => await t.close());

const countsOf = async () =>
  (
    await sql<{ games: number; servers: number; versions: number; forms: number }>`
      select (select count(*)::int from game) as games, (select count(*)::int from game_server) as servers,
        (select count(*)::int from game_version) as versions, (select count(*)::int from catalogue_version) as forms`.execute(
      t.ctx.db,
    )
  ).rows[0];

test('the shipped games can be chosen, hot ones first', () => {
  const list = listShippedGames();
  expect(list).toHaveLength(24);
  expect(list[0]).toMatchObject({ code: 'wzry', name: '王者荣耀', gameType: 2, hot: 1, areas: 4, servers: 660 });
});

test('a dry run writes nothing, applying writes all, and a second run changes nothing', async () => {
  const trial = await importGames(t.ctx, { shipped: ['wzry', 'dnf'] }, { ...by, apply: false });
  expect(trial).toMatchObject({ errors: [], applied: false });
  expect(trial.games.map(({ code, state }) => [code, state])).toEqual([
    ['dnf', 'new'],
    ['wzry', 'new'],
  ]);
  expect((await countsOf())?.games).toBe(0);
  const done = await importGames(t.ctx, { shipped: ['wzry', 'dnf'] }, { ...by, apply: true, digest: trial.digest });
  expect(done).toMatchObject({
    applied: true,
    games: [
      { gameId: 1, version: 1 },
      { gameId: 2, version: 1 },
    ],
  });
  const before = await countsOf();
  expect(before).toEqual({ games: 2, servers: 776, versions: 2, forms: 4 });
  const again = await importGames(t.ctx, { shipped: ['wzry', 'dnf'] }, { ...by, apply: true });
  expect(again.games.map(({ state }) => state)).toEqual(['same', 'same']);
  expect(await countsOf()).toEqual(before);
  const all = await readCatalogue(t.ctx.db);
  expect(all.game(2)?.areas[3]).toMatchObject({ id: 2004, name: '苹果微信' });
  expect(all.server(101_001)?.name).toBe('广东1区');
});

test('an unknown code rejects the whole import', async () => {
  const report = await importGames(t.ctx, { shipped: ['lol', 'nosuch'] }, { ...by, apply: true });
  expect(report.applied).toBe(false);
  expect(report.errors).toEqual([{ line: null, path: 'nosuch', text: '随程序附带的目录里没有这个游戏' }]);
  expect((await readCatalogue(t.ctx.db)).list()).toHaveLength(2);
});

test('importing an exported file changes nothing, and fills an empty market', async () => {
  const file = await exportGames(t.ctx, 'all');
  const same = await importGames(t.ctx, { file }, { ...by, apply: true });
  expect(same.games.map(({ state, changes }) => [state, changes])).toEqual([
    ['same', []],
    ['same', []],
  ]);
  const other = await testApp({});
  try {
    expect(await importGames(other.ctx, { file }, { ...by, apply: true })).toMatchObject({ applied: true, errors: [] });
    expect(await exportGames(other.ctx, 'all')).toBe(file);
  } finally {
    await other.close();
  }
  await expect(exportGames(t.ctx, ['nosuch'])).rejects.toMatchObject({ error: 'NOT_FOUND' });
});

test('errors are listed by line and path, and nothing of the file is applied', async () => {
  const file = JSON.parse(await exportGames(t.ctx, ['wzry', 'dnf'])) as { games: Record<string, unknown>[] };
  const [dnf, wzry] = file.games as [Record<string, unknown>, Record<string, unknown>];
  dnf.name = '地下城与勇士改';
  (wzry.fields as { kind: string; max?: number }[])[2] = {
    ...(wzry.fields as { kind: string }[])[2],
    kind: 'number',
  } as never;
  delete wzry.pinyin;
  wzry.servers = [];
  const text = JSON.stringify(file, null, 1);
  const lines = text.split('\n');
  const { errors, applied } = await importGames(t.ctx, { file: text }, { ...by, apply: true });
  expect(applied).toBe(false);
  expect(errors.map(({ path, text: message }) => [path, message])).toEqual([
    ['games.1.pinyin', '有必填内容没有填写'],
    ['games.1.fields.2.kind', '选项不正确'],
    ['games.1.servers', '没有这一项'],
  ]);
  expect(lines[(errors[1]?.line ?? 0) - 1]).toContain('"kind": "number"');
  expect(lines[(errors[2]?.line ?? 0) - 1]).toContain('"servers": []');
  expect((await readCatalogue(t.ctx.db)).game(1)?.name).toBe('地下城与勇士');
});

test('violations of further rules have their line too', async () => {
  const file = JSON.parse(await exportGames(t.ctx, ['wzry'])) as {
    games: {
      hot: number;
      fields: { key: string; kind: string; min?: number; max?: number }[];
      handover: { accounts: unknown[] };
    }[];
  };
  const [game] = file.games;
  const field = game?.fields.find(({ key }) => key === 'hero_count');
  if (!game || !field) throw new Error('no field');
  field.min = 500;
  game.handover.accounts = [];
  const text = JSON.stringify(file, null, 1);
  const { errors } = await importGames(t.ctx, { file: text }, { ...by, apply: true });
  expect(errors.map(({ text: message }) => message)).toEqual(['最大值不能小于最小值', '至少要有一步']);
  expect(text.split('\n')[(errors[0]?.line ?? 0) - 1]).toContain('"max": 140');
});

test.each([
  ['', '不是正确的 JSON：文件不完整', 1],
  ['{"format":"youshi-games",\n "version":1,\n "games":[}', '不是正确的 JSON：这里应是一个值', 3],
  ['{"format":"youshi-games","version":2,"games":[]}', '只支持版本 1', 1],
  ['{"format":"other",\n"version":1,"games":[]}', '应为 youshi-games', 1],
  ['[1,\n2', '不是正确的 JSON：这里应有逗号或右方括号', 2],
  ['{"a":1,\n"a":2}', '不是正确的 JSON：同一处重复了名称', 2],
])('%j is rejected', async (file, text, line) => {
  const { errors, applied } = await importGames(t.ctx, { file }, { ...by, apply: true });
  expect(applied).toBe(false);
  expect(errors[0]).toMatchObject({ text, line });
});

test('two games with one code in a file are rejected', async () => {
  const file = JSON.parse(await exportGames(t.ctx, ['dnf'])) as { games: unknown[] };
  file.games.push(file.games[0]);
  const { errors } = await importGames(t.ctx, { file: JSON.stringify(file) }, { ...by, apply: true });
  expect(errors.map(({ path }) => path)).toEqual(['games.1.code', 'games.1.name']);
});

test('entries missing in the file are disabled or retired, never deleted, and the diff lists them', async () => {
  const text = await exportGames(t.ctx, ['wzry']);
  const file = JSON.parse(text) as {
    games: {
      areas: { name: string; servers: { name: string }[] }[];
      fields: { key: string; options?: { label: string }[] }[];
    }[];
  };
  const [game] = file.games;
  if (!game) throw new Error('no game');
  game.areas[0]?.servers.splice(0, 1);
  game.fields = game.fields.filter(({ key }) => key !== 'crystals');
  game.fields[0]?.options?.splice(1, 1);
  const trial = await importGames(t.ctx, { file: JSON.stringify(file) }, { ...by, apply: false });
  expect(trial.games[0]?.changes).toEqual([
    { part: 'areas', kind: 'off', text: '安卓QQ 停用服务器「1区」' },
    { part: 'fields', kind: 'off', text: '「段位」停用选项「秩序白银」' },
    { part: 'fields', kind: 'off', text: '停用「未兑换水晶」' },
  ]);
  await importGames(t.ctx, { file: JSON.stringify(file) }, { ...by, apply: true, digest: trial.digest });
  const all = await readCatalogue(t.ctx.db);
  expect(all.game(2)?.areas[0]?.servers[0]?.name).toBe('2区');
  expect(all.server(201_001)?.name).toBe('1区');
  expect(all.fieldsOf(2).find(({ key }) => key === 'crystals')?.retired).toBe(true);
  expect(all.openFieldsOf(2).some(({ key }) => key === 'crystals')).toBe(false);
  const back = await importGames(t.ctx, { file: text }, { ...by, apply: true });
  expect(back.games[0]?.changes.map((c) => c.kind)).toEqual(['add', 'add', 'add']);
});

test('a dry run is not applied after another import', async () => {
  const file = await exportGames(t.ctx, ['dnf']);
  const changed = file.replace('"hue": ', '"hue": 1');
  const trial = await importGames(t.ctx, { file: changed.replace('"hue": 1', '"hue": ') }, { ...by, apply: false });
  expect(trial.errors).toEqual([]);
  const renamed = file.replace('"地下城与勇士"', '"地下城与勇士端游"');
  const first = await importGames(t.ctx, { file: renamed }, { ...by, apply: true });
  expect(first.games[0]?.state).toBe('changed');
  await expect(importGames(t.ctx, { file }, { ...by, apply: true, digest: trial.digest })).rejects.toMatchObject({
    error: 'GAME_CHANGED',
  });
});

test('two concurrent imports write one version each, in turn', async () => {
  const file = await exportGames(t.ctx, ['dnf']);
  const renamed = ['甲', '乙', '丙'].map((x) => file.replace('"地下城与勇士端游"', `"地下城与勇士${x}"`));
  const reports = await Promise.all(
    renamed.map(async (f) => await importGames(t.ctx, { file: f }, { ...by, apply: true })),
  );
  const versions = reports.map(({ games }) => games[0]?.version ?? 0).toSorted((a, b) => a - b);
  expect(versions).toEqual([versions[0], (versions[0] ?? 0) + 1, (versions[0] ?? 0) + 2]);
});
