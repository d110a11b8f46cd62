/** The brand on three widths: its name and colour, nothing wider than the screen; screenshots are stored for a human to look at. */
import { expect } from '@playwright/test';
import { expectNoOverflow } from '#tests/e2e/support/overflow.ts';
import { SCREENS } from '../cast.ts';
import { BRAND } from '../hosts.ts';
import { GOODS } from '../parts.ts';
import { test } from '../stage.ts';

for (const screen of Object.keys(SCREENS) as (keyof typeof SCREENS)[])
  test(`the brand has its name and colour without overflow on a ${screen}`, async ({ cast }) => {
    const visitor = await cast.enter(`brand-${screen}`, BRAND, { screen });
    const { page } = visitor;
    const pages = {
      home: '/',
      games: '/allGame',
      list: '/wares?gt=1',
      detail: `/detail/${GOODS[2]?.sn}`,
      login: '/login',
    };
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(path);
      await expect(page).toHaveTitle(/夜鹤游戏/);
      await expect(page.locator('html')).toHaveAttribute('style', /--brand-h:\s*300/);
      await expectNoOverflow(visitor, name);
    }
  });
