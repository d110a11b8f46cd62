/** The object that WeChat adds to pages in its own browser. */
interface Bridge {
  invoke(name: string, fields: Readonly<Record<string, string>>, done: (result: { err_msg?: string }) => void): void;
}

const bridgeNow = (): Bridge | undefined => (window as { WeixinJSBridge?: Bridge }).WeixinJSBridge;

/** WeChat needs a moment to add it. */
const READY_MS = 8_000;

async function bridge(): Promise<Bridge | undefined> {
  if (bridgeNow()) return bridgeNow();
  await new Promise((resolve) => {
    document.addEventListener('WeixinJSBridgeReady', resolve, { once: true });
    setTimeout(resolve, READY_MS);
  });
  return bridgeNow();
}

/** The result that WeChat's dialog reports. Only the server knows whether money moved. */
export type DialogEnd = 'ok' | 'cancel' | 'failed' | 'absent';

/** Opens a dialog of WeChat and waits for its end; 'absent' outside WeChat. */
export async function wechatDialog(name: string, fields: Readonly<Record<string, string>>): Promise<DialogEnd> {
  const ready = await bridge();
  if (!ready) return 'absent';
  return await new Promise((resolve) =>
    ready.invoke(name, fields, ({ err_msg: text = '' }) => {
      const end = text.slice(text.lastIndexOf(':') + 1);
      resolve(end === 'ok' || end === 'cancel' ? end : 'failed');
    }),
  );
}
