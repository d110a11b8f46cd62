/** What the chat needs of the carrier's SDK. One value of it a page; tests play it. */
export interface ImSdk {
  /** Connects; the SDK's own code, 0 for success. */
  connect(token: string): Promise<number>;
  disconnect(): void;
  /** Hears that something was said in a group: the number in our history, null when it carries none. */
  onMessage(listener: (groupId: string, seq: number | null) => void): void;
  /** Hears that a member of a group types, or has read on. */
  onHint(listener: (groupId: string, sender: string, kind: 'typing' | 'read') => void): void;
  /** Hears that the connection went, with the SDK's code, and that it is back. */
  onState(listener: (up: boolean, code: number) => void): void;
}

/** The number of our history that a carried message bears. */
export function seqOf(extra: unknown): number | null {
  if (typeof extra !== 'string') return null;
  try {
    const { seq } = JSON.parse(extra) as { seq?: unknown };
    return typeof seq === 'number' && Number.isSafeInteger(seq) ? seq : null;
  } catch {
    return null;
  }
}

/** What a message that is kept nowhere hints at; null in every other. */
export function hintOf(content: unknown): 'typing' | 'read' | null {
  const { kind } = (content ?? {}) as { kind?: unknown };
  return kind === 'typing' || kind === 'read' ? kind : null;
}

/** RongCloud's SDK, loaded when it is wanted and not before. */
export async function rongSdk(appKey: string): Promise<ImSdk> {
  const im = await import('@rongcloud/imlib-next');
  im.init({ appkey: appKey });
  im.registerMessageType('YS:News', false, false);
  return {
    async connect(token) {
      return (await im.connect(token)).code;
    },
    disconnect() {
      void im.disconnect();
    },
    onMessage(listener) {
      im.addEventListener(im.Events.MESSAGES, ({ messages }) => {
        for (const { targetId, content } of messages)
          if (hintOf(content) === null) listener(targetId, seqOf((content as { extra?: unknown } | undefined)?.extra));
      });
    },
    onHint(listener) {
      im.addEventListener(im.Events.MESSAGES, ({ messages }) => {
        for (const { targetId, senderUserId, content } of messages) {
          const kind = hintOf(content);
          if (kind !== null) listener(targetId, senderUserId, kind);
        }
      });
    },
    onState(listener) {
      im.addEventListener(im.Events.CONNECTED, () => listener(true, 0));
      im.addEventListener(im.Events.DISCONNECT, (code) => listener(false, code));
      im.addEventListener(im.Events.SUSPEND, (code) => listener(false, code));
    },
  };
}
