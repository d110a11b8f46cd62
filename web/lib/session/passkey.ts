import { ApiFailure } from '../api/api-failure.ts';

/** The message when the browser returned no passkey: the window was closed, timed out, or there is no passkey here. */
const CANCELLED = '没有完成：浏览器的验证窗口已关闭，或这台设备上没有可用的通行密钥';

/** Runs a call of the browser's passkey API; a refusal becomes a failure of a form. */
async function ask(run: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await run());
  } catch (error) {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError';
    throw new ApiFailure(422, isKnown ? '这台设备上已登记过通行密钥，不用再登记' : CANCELLED, 422);
  }
}

/** Makes a new passkey from the server's options; the response as JSON text. Throws ApiFailure. */
export async function createPasskey(options: string): Promise<string> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return await ask(() => startRegistration({ optionsJSON: JSON.parse(options) }));
}

/** Signs the server's options with a passkey; the response as JSON text. Throws ApiFailure. */
export async function signWithPasskey(options: string): Promise<string> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return await ask(() => startAuthentication({ optionsJSON: JSON.parse(options) }));
}
