/**
 * Publishing with the form only: pictures dropped, pasted and put in order, a draft that survives, and search that finds it immediately; then
 * all that a seller does with the goods until they are gone.
 */
import { expect, type Locator, type Page } from '@playwright/test';
import { callAs } from '../support/calls.ts';
import { exclusively } from '../support/exclusive.ts';
import { actionButton, MARKET, type Person, test } from '../support/people.ts';
import { approve, openOffer } from '../support/sell-steps.ts';
import { signIn, staffAtWork } from '../support/sign-in.ts';

const SELLER = '13800000002';

/** Gives files to the page as a drop onto the pictures or as a paste anywhere, made in the page from colours or raw text. */
async function give(
  page: Page,
  how: 'drop' | 'paste',
  files: readonly { colour?: string; text?: string; type: string }[],
) {
  await page.evaluate(
    async ({ how: by, files: wanted }) => {
      const data = new DataTransfer();
      for (const [i, { colour, text, type }] of wanted.entries()) {
        let blob = new Blob([text ?? ''], { type });
        if (colour !== undefined) {
          const canvas = new OffscreenCanvas(320, 200);
          const pen = canvas.getContext('2d');
          if (pen) pen.fillStyle = colour;
          pen?.fillRect(0, 0, 320, 200);
          blob = await canvas.convertToBlob({ type });
        }
        data.items.add(new File([blob], `picture-${i}.png`, { type }));
      }
      const list = document.querySelector('ul[aria-label="已添加的图片"]');
      if (by === 'drop')
        list?.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      else
        document.body.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        );
    },
    { how, files },
  );
}

/** The addresses of the pictures in their order. */
const order = async (page: Page): Promise<(string | null)[]> =>
  await page
    .getByRole('list', { name: '已添加的图片' })
    .getByAltText(/^第 \d+ 张图片$/)
    .evaluateAll((images) => images.map((image) => image.getAttribute('src')));

/** Drags a tile onto another with a finger that rests first; a finger that moves immediately would scroll. */
async function dragByFinger(page: Page, from: Locator, to: Locator): Promise<void> {
  await from.scrollIntoViewIfNeeded();
  const centre = async (tile: Locator) => {
    const box = await tile.boundingBox();
    return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
  };
  const [start, target] = [await centre(from), await centre(to)];
  const finger = await page.context().newCDPSession(page);
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [start] });
  await expect(from.locator('..')).toHaveClass(/cursor-grabbing/);
  for (const part of [0.3, 0.6, 1])
    await finger.send('Input.dispatchTouchEvent', {
      type: 'touchMove',
      touchPoints: [{ x: start.x + (target.x - start.x) * part, y: start.y + (target.y - start.y) * part }],
    });
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await finger.detach();
}

/** Whether search finds goods: it is updated automatically, soon after each change (how soon is measured by bench/search/search-freshness.ts). */
async function expectFound(page: Page, goodsSn: string, title: string, found: boolean): Promise<void> {
  const query = new URLSearchParams({ keyWord: title, gameId: '2' });
  await expect
    .poll(
      async () =>
        (await (await page.request.get(`${MARKET}/api/goods/getGoodsList?${query}`)).text()).includes(goodsSn),
      { intervals: [50] },
    )
    .toBe(found);
}

/** Clicks one of the actions behind the last button of a row of the seller's goods. */
async function more(page: Page, row: Locator, name: string): Promise<void> {
  await row.getByRole('button', { name: '更多操作' }).click();
  await page.getByRole('menuitem', { name }).click();
}

/** A second, cheap goods of the seller's, sent to review by only the call. */
async function cheapGoods(seller: Person, title: string): Promise<void> {
  const { list: areas } = await callAs<{ list: { specialId: number; secondOptions: { twoSpecialId: number }[] }[] }>(
    seller,
    '/api/comm/crossList?gameId=2',
  );
  const { fields } = await callAs<{ fields: { key: string; required: boolean; options?: { v: unknown }[] }[] }>(
    seller,
    '/api/goods/getGoodsUpperConf?gameId=2&goodsTypeId=27',
  );
  const details = Object.fromEntries(fields.filter((f) => f.required).map((f) => [f.key, f.options?.[0]?.v ?? 1]));
  await callAs(seller, '/api/goods/releaseGoods', {
    gameId: '2',
    goodsTypeId: '27',
    areaId: String(areas[0]?.specialId),
    serverId: String(areas[0]?.secondOptions[0]?.twoSpecialId ?? ''),
    bigTitle: title,
    price: '2.00',
    details: JSON.stringify(details),
  });
}

test('a listing with pictures is published from a draft, found after approval, edited, and removed', async ({
  people,
}, info) => {
  const account = `publish-${info.project.name}`;
  const title = `全英雄 典藏十二款 发布旅程${info.project.name === 'phone' ? '乙' : '甲'}`;
  const seller = await people.visitor('seller');
  const { page } = seller;
  await signIn(seller, SELLER);
  // A seller has one draft per game and type.
  const goodsSn = await exclusively('draft', async () => {
    await openOffer(page, { game: '王者荣耀', type: '账号', account });

    await test.step('pictures are dropped and pasted, and other files are rejected with a message', async () => {
      await give(page, 'drop', [
        { colour: '#a33', type: 'image/png' },
        { colour: '#3a3', type: 'image/jpeg' },
      ]);
      await expect(page.getByAltText('第 2 张图片')).toBeVisible();
      await give(page, 'paste', [{ colour: '#33a', type: 'image/png' }]);
      await expect(page.getByAltText('第 3 张图片')).toBeVisible();
      await give(page, 'drop', [{ text: '<svg xmlns="http://www.w3.org/2000/svg"/>', type: 'image/svg+xml' }]);
      await expect(page.getByText('图片格式错误，请上传JPEG/JPG/PNG')).toBeVisible();
      await expect(page.getByAltText('第 4 张图片')).toHaveCount(0);
    });

    await test.step('pictures are reordered by keyboard, by mouse and by finger', async () => {
      const [a, b, c] = await order(page);
      await page.getByRole('button', { name: '第 2 张图片前移' }).focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => order(page)).toEqual([b, a, c]);
      // The knob is gone at the end of the row; the focus stays with the picture.
      await expect(page.getByRole('button', { name: '第 1 张图片后移' })).toBeFocused();
      const [third, first] = [page.getByAltText('第 3 张图片'), page.getByAltText('第 1 张图片')];
      await (info.project.name === 'phone' ? dragByFinger(page, third, first) : third.dragTo(first));
      await expect.poll(() => order(page)).toEqual([c, b, a]);
    });

    const arranged = await order(page);
    await test.step('the input is restored after a reload', async () => {
      await page.getByRole('textbox', { name: '标题', exact: true }).fill(title);
      await page.getByRole('textbox', { name: '标价（元）' }).fill('388');
      await expect(page.getByText('¥368.60').locator('visible=true').first()).toBeVisible();
      // At once: what the server has not got yet is in the browser.
      await page.reload();
      await expect(page.getByText(/没有提交的内容/)).toBeVisible();
      await expect(page.getByRole('textbox', { name: '标题', exact: true })).toHaveValue(title);
      expect(await order(page)).toEqual(arranged);
      await page.getByRole('textbox', { name: '游戏账号' }).fill(account);
    });

    return await test.step('the listing is submitted for review', async () => {
      await actionButton(page, '提交审核').click();
      await expect(page.getByRole('heading', { name: '已提交审核' })).toBeVisible();
      return new URL(page.url()).searchParams.get('done') ?? '';
    });
  });

  const reviewer = await staffAtWork(people, 'shenhe');
  await test.step('it is found after the approval', async () => {
    await approve(reviewer, goodsSn, title);
    await expectFound(page, goodsSn, title, true);
    await page.goto(`/wares?gid=2&keyWord=${encodeURIComponent(title)}`);
    await expect(page.locator('mark').first()).toBeVisible();
  });

  const mine = `/center/sellOutGoods?keyWord=${encodeURIComponent(title)}`;
  const row = page.getByRole('list', { name: '我的商品' }).getByRole('listitem').filter({ hasText: goodsSn });

  await test.step('edited texts are reviewed again', async () => {
    await page.goto(mine);
    await row.getByRole('link', { name: '修改' }).click();
    await expect(page.getByRole('heading', { level: 1, name: /修改商品/ })).toBeVisible();
    expect(await order(page)).toHaveLength(3);
    await page.getByRole('textbox', { name: '标题', exact: true }).fill(`${title} 送头像框`);
    await actionButton(page, '提交修改').click();
    await expect(page.getByRole('heading', { name: '修改已提交审核' })).toBeVisible();
    await expectFound(page, goodsSn, title, false);
    await approve(reviewer, goodsSn, `${title} 送头像框`);
    await reviewer.context.close();
    await expectFound(page, goodsSn, title, true);
  });

  await test.step('a price change takes effect immediately, and an invalid price gets a message', async () => {
    await page.goto(mine);
    await row.getByRole('button', { name: '改价' }).click();
    const dialog = page.getByRole('dialog', { name: '修改价格' });
    await dialog.getByLabel('新价格（元）').fill('1,00');
    await dialog.getByRole('button', { name: '确认改价' }).click();
    await expect(dialog.getByRole('alert')).toHaveText(/价格应为正数，最多两位小数/);
    // Full width, as an input method types it.
    await dialog.getByLabel('新价格（元）').fill('￥４００');
    await expect(dialog.getByLabel('新价格（元）')).toHaveValue('400');
    await expect(dialog.getByText('¥380.00')).toBeVisible();
    await dialog.getByRole('button', { name: '确认改价' }).click();
    await expect(dialog).toBeHidden();
    await expect(row.getByText('¥400.00')).toBeVisible();
  });

  await test.step('it is taken off sale and put on sale again', async () => {
    await more(page, row, '下架');
    await expect(row.getByText('已下架')).toBeVisible();
    await expectFound(page, goodsSn, title, false);
    await row.getByRole('button', { name: '重新上架' }).click();
    await expect(row.getByText('出售中')).toBeVisible();
    await expectFound(page, goodsSn, title, true);
  });

  await test.step('several listings are changed together, and each failure shows its reason', async () => {
    await cheapGoods(seller, `${title} 附赠`);
    await page.goto(mine);
    await page.getByRole('checkbox', { name: '选择本页全部商品' }).check();
    const bar = page.getByRole('toolbar', { name: '批量操作' });
    await expect(bar).toContainText('已选 2 件');
    await bar.getByRole('button', { name: '改价' }).click();
    const dialog = page.getByRole('dialog', { name: '批量改价（2 件）' });
    await dialog.getByLabel('调整幅度（%）').fill('-60');
    // A long title gives way to the prices next to it.
    await expect(dialog.getByRole('list', { name: '改价预览' }).getByText('¥160.00')).toBeInViewport({ ratio: 1 });
    await dialog.getByRole('button', { name: '确认改价' }).click();
    const result = page.getByRole('dialog', { name: '处理结果' });
    await expect(result).toContainText('1 件已改价，1 件没有改动');
    await expect(result.getByRole('listitem')).toContainText(/附赠.*调整后为 0\.80 元/s);
    await result.getByRole('button', { name: '知道了' }).click();
    await expect(row.getByText('¥160.00')).toBeVisible();
  });

  await test.step('several are taken off sale and removed', async () => {
    await page.getByRole('checkbox', { name: '选择本页全部商品' }).check();
    const bar = page.getByRole('toolbar', { name: '批量操作' });
    await bar.getByRole('button', { name: '下架' }).click();
    await expect(row.getByText('已下架')).toBeVisible();
    await expectFound(page, goodsSn, title, false);
    await page.getByRole('checkbox', { name: '选择本页全部商品' }).check();
    await bar.getByRole('button', { name: '删除' }).click();
    await page
      .getByRole('dialog', { name: '删除 2 件商品' })
      .getByRole('button', { name: '删除', exact: true })
      .click();
    await expect(page.getByText('没有符合条件的商品')).toBeVisible();
  });
});

test('listings not refreshed for an hour can be refreshed', async ({ people }) => {
  const seller = await people.visitor('seller');
  const { page } = seller;
  await signIn(seller, SELLER);
  const { list } = await callAs<{ list: { goodsSn: string; refreshTime: string }[] }>(
    seller,
    '/api/goods/selfPublishGoodsList?status=2&pageSize=50',
  );
  const old = list.find(({ refreshTime }) => Date.parse(refreshTime) < Date.now() - 2 * 3_600_000);
  await page.goto(`/center/sellOutGoods?keyWord=${old?.goodsSn}`);
  const row = page.getByRole('list', { name: '我的商品' }).getByRole('listitem');
  await more(page, row, '刷新');
  await expect(page.getByText('已刷新到最新')).toBeVisible();
  await expect(row.getByText('刚刚刷新')).toBeVisible();
});
