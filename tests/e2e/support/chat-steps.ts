/** The conversation of an order, as both sides see it. */
import { expect, type Page } from '@playwright/test';
import type { Person } from './people.ts';

const log = (page: Page) => page.getByRole('log', { name: '聊天记录' });

/** Opens the order's conversation, which the payment created, from the order's page. */
export async function enterChat(person: Person): Promise<void> {
  const { page } = person;
  await page
    .getByRole('link', { name: /交易群/ })
    .first()
    .click();
  await page.waitForURL(/\/chatSystem/);
  await expect(log(page)).toBeVisible();
  await expect(page.getByLabel('消息', { exact: true })).toBeEnabled();
}

/** Writes a message; it appears in the own conversation and, without a reload, in the other's. */
export async function sendText(from: Person, to: Person, text: string): Promise<void> {
  await from.page.getByLabel('消息', { exact: true }).fill(text);
  await from.page.getByRole('button', { name: '发送', exact: true }).click();
  await expect(log(from.page).getByText(text)).toHaveCount(1);
  await expect(log(to.page).getByText(text)).toHaveCount(1);
}

/** Sends a picture; both see one more. */
export async function sendPicture(from: Person, to: Person, file: string): Promise<void> {
  const pictures = (page: Page) => log(page).getByAltText('聊天图片');
  const [mine, theirs] = [await pictures(from.page).count(), await pictures(to.page).count()];
  await from.page.locator('.chat-field input[type="file"]').setInputFiles(file);
  await expect(pictures(from.page)).toHaveCount(mine + 1);
  await expect(pictures(to.page)).toHaveCount(theirs + 1);
}
