/** A game that the catalogue lacks: a file with a mistake is rejected whole, the corrected one is on the site immediately. */
import { expect } from '@playwright/test';
import { BRAND } from '../hosts.ts';
import { gameFileOf, NEW_GAME } from '../new-game.ts';
import { test } from '../stage.ts';

test('a new game is imported with its form, areas, fields and steps', async ({ stage, cast }) => {
  const wrong = {
    ...NEW_GAME,
    fields: [{ ...NEW_GAME.fields[1], options: [] }],
    goodsTypes: [{ id: 3, name: '账号' }],
  };
  const rejected = await stage.npm('admin', ['games', 'import', stage.file('wrong.json', gameFileOf(wrong))]);
  expect(rejected.code).toBe(1);
  expect(rejected.output).toMatch(/文件有 \d+ 处错误，什么都没有导入/);
  expect(rejected.output).toMatch(/第 \d+ 行 games\.0\.fields\.0\.options 至少要有一个在用的选项/);
  expect(await stage.admin('games', 'list')).not.toContain(NEW_GAME.name);

  const file = stage.file('yunhai.json', gameFileOf(NEW_GAME));
  expect(await stage.admin('games', 'import', file, '--try')).toContain('试读通过，没有写入');
  expect(await stage.admin('games', 'import', file, '--reason', '新上的游戏')).toContain('已导入');

  const { page } = await cast.enter('a visitor who looks for the game', BRAND);
  await page.goto('/allGame');
  await page.getByRole('link', { name: NEW_GAME.name }).first().click();
  await expect(page.getByText('云门').first()).toBeVisible();
});
