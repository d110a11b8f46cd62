/** An operator without SQL: a fee from tomorrow on and one from now on, a server of a game, a brand's colour and hot games, each seen on two nodes soon after. */
import { expect, type Page } from '@playwright/test';
import type { Cast, Colleague } from '../cast.ts';
import { decided } from '../back-office.ts';
import { addServer } from '../game-page.ts';
import { BRAND, SITE } from '../hosts.ts';
import { GAME, GOODS } from '../parts.ts';
import { test } from '../stage.ts';

/** How soon every node must know on any machine; the product promises two seconds. What nobody told a node of it reads much later. */
const LIVE_MS = 10_000;

/** Reads the site's response in the browser. */
const read = async (path: string): Promise<string> => await (await fetch(path)).text();

/**
 * Waits until both nodes answer with what is expected. Fails when a request that was sent that much later is still answered with what
 * was before: how long a busy machine takes for an answer says nothing of what its node knew.
 */
async function seenOnBoth(nodes: readonly Page[], path: string, isThere: (html: string) => boolean): Promise<void> {
  const since = Date.now();
  const seen = async (page: Page, index: number): Promise<void> => {
    for (;;) {
      const askedMs = Date.now() - since;
      if (isThere(await page.evaluate(read, path))) return;
      expect(askedMs, `node ${index + 1} does not know of ${path}`).toBeLessThan(LIVE_MS);
      await page.waitForTimeout(50);
    }
  };
  await Promise.all(nodes.map(seen));
}

/** A visitor of each node at a host. */
async function visitors(cast: Cast, host: string): Promise<Page[]> {
  return await Promise.all(
    [0, 1].map(async (node) => {
      const { page } = await cast.enter(`node ${node + 1}`, host, { node });
      await page.goto('/');
      return page;
    }),
  );
}

/** Finance changes the buyer's fee, and the owner approves. */
async function changeFee(cast: Cast, percent: string, from: string, done: string): Promise<void> {
  const [finance, owner] = [cast.colleague('lisi'), cast.colleague('zhangsan')];
  const at = ({ page }: Colleague) => page.getByRole('region', { name: '交易费率', exact: true });
  await finance.page.goto('/backstage/settings?group=fees');
  await at(finance).getByRole('button', { name: '修改', exact: true }).click();
  await at(finance).getByLabel('买家服务费').fill(percent);
  await at(finance).getByLabel('从什么时候起').fill(from);
  await at(finance).getByLabel('原因').fill('调整服务费');
  await at(finance).getByRole('button', { name: '提交复核' }).click();
  await decided(finance, at(finance).getByText('等待另一位同事复核'));
  await owner.page.goto('/backstage/settings?group=fees');
  await at(owner).getByRole('button', { name: '通过' }).click();
  const dialog = owner.page.getByRole('dialog', { name: '通过这条修改' });
  await dialog.getByLabel('原因').fill('同意');
  await dialog.getByRole('button', { name: '通过' }).click();
  await decided(owner, owner.page.getByText('已处理'));
  await expect(at(owner)).toContainText(done);
}

/** Tomorrow at midnight in China, as the form's field takes it. */
const tomorrow = (): string => `${new Date(Date.now() + (8 + 24) * 3_600_000).toISOString().slice(0, 10)}T00:00`;

test('an immediate fee is in the prices of both nodes, one from tomorrow on is pending on both', async ({
  stage,
  cast,
}) => {
  await stage.nodes[1].start();
  const path = `/detail/${GOODS[2]?.sn}`;
  const nodes = await visitors(cast, SITE);
  await seenOnBoth(nodes, path, (html) => html.includes('306.00'));
  await changeFee(cast, '3', '', '3%');
  await seenOnBoth(nodes, path, (html) => html.includes('309.00'));

  await changeFee(cast, '1', tomorrow(), '待生效');
  const page = cast.colleague('zhangsan').page;
  for (const node of ['0', '1']) {
    await page.setExtraHTTPHeaders({ 'x-rehearse-node': node });
    await page.goto('/backstage/settings?group=fees');
    const card = page.getByRole('region', { name: '交易费率', exact: true });
    await expect(card).toContainText(`待生效，从 ${tomorrow().slice(0, 10)} 00:00`);
  }
  await page.setExtraHTTPHeaders({});
  await seenOnBoth(nodes, path, (html) => html.includes('309.00') && !html.includes('303.00'));
});

test('a server that is added to a game can be chosen on both nodes', async ({ cast }) => {
  const nodes = await visitors(cast, BRAND);
  await addServer(cast, { gameId: GAME.id, area: '安卓', server: '云开月明' });
  await seenOnBoth(nodes, `/api/comm/crossList?gameId=${GAME.id}`, (body) => body.includes('云开月明'));
});

test('an operator changes the colour and the hot games of the brand, and both nodes show it', async ({ cast }) => {
  const operator = cast.colleague('zhaoliu');
  const { page } = operator;
  await page.goto('/backstage/brands');
  await page.getByRole('link', { name: '夜鹤游戏' }).click();
  await page.getByLabel('色相', { exact: true }).fill('300');
  await page.getByRole('button', { name: '王者荣耀上移' }).click();
  await page.getByLabel('改动的原因').fill('换季');
  const nodes = await visitors(cast, BRAND);
  await page.getByRole('button', { name: '发布', exact: true }).click();
  await decided(operator, page.getByText(/第 \d+ 版已发布/).first());
  await seenOnBoth(nodes, '/', (html) => /--brand-h:\s*300/.test(html));
  for (const visitor of nodes) {
    await visitor.goto('/');
    const games = visitor.getByRole('link', { name: /^(原神|王者荣耀|英雄联盟)$/ });
    await expect(games.first()).toHaveText('王者荣耀');
  }
});
