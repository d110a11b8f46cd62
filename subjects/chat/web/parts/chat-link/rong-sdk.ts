/** The part of the IM provider's SDK that the chat needs. One instance per page; tests use a fake. */
export interface ImSdk {
  /** Connects; resolves to the SDK's code, 0 for success. */
  connect(token: string): Promise<number>;
  disconnect(): void;
  /**
   * Called when a message was sent in a group, with its number in our history; null when the SDK message carries none.
   */
  onMessage(listener: (groupId: string, seq: number | null) => void): void;
  /** Called when a member of a group is typing, or has read further. */
  onHint(listener: (groupId: string, sender: string, kind: 'typing' | 'read') => void): void;
  /** Called when the connection is lost, with the SDK's code, and when it is back. */
  onState(listener: (up: boolean, code: number) => void): void;
}

/** The number in our history that a provider's message carries. */
export function seqOf(extra: unknown): number | null {
  if (typeof extra !== 'string') return null;
  try {
    const { seq } = JSON.parse(extra) as { seq?: unknown };
    return typeof seq === 'number' && Number.isSafeInteger(seq) ? seq : null;
  } catch {
    return null;
  }
}

/** The kind of signal of an unstored message; null for all others. */
export function hintOf(content: unknown): 'typing' | 'read' | null {
  const { kind } = (content ?? {}) as { kind?: unknown };
  return kind === 'typing' || kind === 'read' ? kind : null;
}

/** RongCloud's SDK, loaded on demand. */
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
