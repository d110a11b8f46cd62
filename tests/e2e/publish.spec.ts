/** Publishing by the form alone: pictures dropped, pasted and put in order, a draft that survives, and search that knows at once. */
import { expect, type Page } from '@playwright/test';
import { act, MARKET, test } from './support/people.ts';
import { approve, openOffer } from './support/sell-steps.ts';
import { signIn, staffAtWork } from './support/sign-in.ts';

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

test('pictures, a draft and a price become goods that are found as soon as they are approved', async ({
  people,
}, info) => {
  test.setTimeout(90_000);
  const account = `publish-${info.project.name}`;
  const title = `全英雄 典藏十二款 发布旅程${info.project.name === 'phone' ? '乙' : '甲'}`;
  const seller = await people.visitor('seller');
  const { page } = seller;
  await signIn(seller, SELLER);
  await openOffer(page, { game: '王者荣耀', type: '账号', account });

  await test.step('pictures are dropped and pasted, and what is none is refused in words', async () => {
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

  await test.step('they are put in order by keyboard and by mouse', async () => {
    const [a, b, c] = await order(page);
    await page.getByRole('button', { name: '第 2 张图片前移' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => order(page)).toEqual([b, a, c]);
    // The knob is gone at the end of the row; the focus stays with the picture.
    await expect(page.getByRole('button', { name: '第 1 张图片后移' })).toBeFocused();
    if (info.project.name === 'phone') return;
    await page.getByAltText('第 3 张图片').dragTo(page.getByAltText('第 1 张图片'));
    await expect.poll(() => order(page)).toEqual([c, b, a]);
  });

  const arranged = await order(page);
  await test.step('what was typed is there again after a reload', async () => {
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

  const goodsSn = await test.step('it is sent to review', async () => {
    await act(page, '提交审核').click();
    await expect(page.getByRole('heading', { name: '已提交审核' })).toBeVisible();
    return new URL(page.url()).searchParams.get('done') ?? '';
  });

  await test.step('and found after the approval', async () => {
    const reviewer = await staffAtWork(people, 'shenhe');
    await approve(reviewer, goodsSn, title);
    const query = new URLSearchParams({ keyWord: title, gameId: '2' });
    // How soon is measured by bench/fresh.ts; here only that it comes by itself.
    await expect
      .poll(async () => await (await page.request.get(`${MARKET}/api/goods/getGoodsList?${query}`)).text(), {
        intervals: [50],
      })
      .toContain(goodsSn);
    await reviewer.context.close();
    await page.goto(`/wares?gid=2&keyWord=${encodeURIComponent(title)}`);
    await expect(page.locator('mark').first()).toBeVisible();
  });
});
