/**
 * Passkeys of the rehearsal's staff. The browser refuses WebAuthn where it was told to accept the rehearsal's certificate, so the page's
 * `navigator.credentials` is answered by a software authenticator; the market sees real responses.
 */
import { expect, type Page } from '@playwright/test';
import { softPasskey } from '#tests/support/tools/passkey.ts';
import type { Colleague } from './cast.ts';
import { BACK_OFFICE } from './hosts.ts';

declare global {
  interface Window {
    askSoftPasskey(kind: 'create' | 'get', options: string): Promise<string>;
  }
}

/** Runs in the page: replaces the browser's own authenticators. */
function answerInPage(): void {
  const toText = (buffer: BufferSource): string => {
    const bytes = new Uint8Array(buffer instanceof ArrayBuffer ? buffer : buffer.buffer);
    return btoa(String.fromCharCode(...bytes))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');
  };
  const toBytes = (text: string): ArrayBuffer =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0)).buffer;
  const answer = async (kind: 'create' | 'get', options: object): Promise<unknown> => {
    const { response, ...credential } = JSON.parse(await window.askSoftPasskey(kind, JSON.stringify(options)));
    const { transports, ...parts } = response as Record<string, string>;
    const buffers = Object.entries(parts).map(([name, text]) => [name, toBytes(text)]);
    return {
      ...credential,
      rawId: toBytes(credential.rawId),
      response: { ...Object.fromEntries(buffers), getTransports: () => transports },
      authenticatorAttachment: 'platform',
      getClientExtensionResults: () => ({}),
    };
  };
  Object.defineProperty(navigator, 'credentials', {
    value: {
      create: ({ publicKey }: { publicKey: PublicKeyCredentialCreationOptions }) =>
        answer('create', { challenge: toText(publicKey.challenge), rp: publicKey.rp }),
      get: ({ publicKey }: { publicKey: PublicKeyCredentialRequestOptions }) =>
        answer('get', { challenge: toText(publicKey.challenge), rpId: publicKey.rpId }),
    },
  });
}

const holders = new WeakSet<Page>();

/** Whether somebody's browser has a passkey. */
export const hasPasskey = ({ page }: Pick<Colleague, 'page'>): boolean => holders.has(page);

/** Registers the first passkey of a colleague, who proves it with a code, and returns to the first page. */
export async function registerPasskey({ page, factor }: Colleague): Promise<void> {
  const key = softPasskey(`https://${BACK_OFFICE}`);
  await page.exposeFunction('askSoftPasskey', (kind: 'create' | 'get', options: string) => key[kind](options));
  await page.addInitScript(answerInPage);
  await page.goto('/backstage/passkeys');
  await page.getByLabel('名称').fill('办公电脑');
  await page.getByLabel('动态码').fill(await factor.code(page));
  await page.getByRole('button', { name: '登记通行密钥' }).click();
  await expect(page.getByRole('region', { name: '已登记的通行密钥' })).toContainText('办公电脑');
  holders.add(page);
  await page.goto('/backstage');
}
