/** Characters that a user saves: of the game's own servers, at most fifty, visible to their owner only. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { addUserRoleCardInfo, removeRoleCard, roleCardInfoList } from '#subjects/games/contract/role-card.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';
import { offerFixture } from '#tests/support/goods/offers.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
  await offerFixture(t);
});
afterAll(async () => await t.close());

const card = { gameId: '1', areaId: '1001', serverId: '101001', roleName: '剑魂小明', roleLevel: '110', note: '主号' };

test('a card is saved, changed, listed by game and removed', async () => {
  const { client } = await t.newUser();
  const { id } = await client.ok(addUserRoleCardInfo, card);
  await client.ok(addUserRoleCardInfo, { gameId: '2', roleName: '  李白  ' });
  const { list, total } = await client.ok(roleCardInfoList, { gameId: '1' });
  expect(total).toBe(1);
  expect(list).toMatchObject([
    { id, gameName: '地下城与勇士', serverName: '广东1区', roleName: '剑魂小明', roleLevel: 110, note: '主号' },
  ]);
  await client.ok(addUserRoleCardInfo, { ...card, id: String(id), roleName: '改名了', roleLevel: '' });
  const all = await client.ok(roleCardInfoList, {});
  expect(all.list.map((c) => [c.roleName, c.roleLevel])).toEqual([
    ['李白', null],
    ['改名了', null],
  ]);
  await client.ok(removeRoleCard, { id: String(id) });
  expect((await client.call(removeRoleCard, { id: String(id) })).code).toBe(codes.NOT_FOUND[0]);
  expect((await client.ok(roleCardInfoList, {})).total).toBe(1);
});

test('another user’s card is not found', async () => {
  const [mine, other] = [await t.newUser(), await t.newUser()];
  const { id } = await mine.client.ok(addUserRoleCardInfo, card);
  const theft = { ...card, id: String(id), roleName: '偷来的' };
  expect((await other.client.call(addUserRoleCardInfo, theft)).code).toBe(codes.NOT_FOUND[0]);
  expect((await other.client.call(removeRoleCard, { id: String(id) })).code).toBe(codes.NOT_FOUND[0]);
  expect((await mine.client.ok(roleCardInfoList, {})).list).toMatchObject([{ roleName: '剑魂小明' }]);
});

test('servers of another game and invalid names are rejected with a message', async () => {
  const { client } = await t.newUser();
  for (const [input, message] of [
    [{ ...card, areaId: '2001', serverId: '' }, '该游戏没有这个大区，请重新选择'],
    [{ ...card, serverId: '201001' }, '该大区没有这个服务器，请重新选择'],
    [{ ...card, areaId: '' }, '请先选择大区'],
    [{ ...card, roleName: '   ' }, '角色名不能为空'],
    [{ ...card, roleName: 'x'.repeat(41) }, '角色名不能超过 40 个字'],
    [{ ...card, roleLevel: '0' }, '等级超出范围'],
    [{ ...card, gameId: '999' }, '游戏不存在或未开放'],
  ] as const)
    expect((await client.call(addUserRoleCardInfo, input)).msg).toBe(message);
  expect((await client.ok(roleCardInfoList, {})).total).toBe(0);
});

test('at most fifty are saved, also concurrently', async () => {
  const { client, id } = await t.newUser();
  await t.ctx.pool.query(
    `insert into role_card (user_id, game_id, role_name) select $1, 2, 'n' || i from generate_series(1, 48) i`,
    [id],
  );
  const sent = await Promise.all(
    Array.from({ length: 6 }, (_, i) => client.call(addUserRoleCardInfo, { gameId: '2', roleName: `r${i}` })),
  );
  expect(sent.filter(({ code }) => code === 0)).toHaveLength(2);
  expect((await client.ok(roleCardInfoList, { pageSize: '50' })).total).toBe(50);
});
