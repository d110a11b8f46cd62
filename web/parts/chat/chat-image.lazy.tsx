import { useState } from 'react';
import type { ChatMessage } from '#contract/im.ts';
import { lazyWithRetry } from '#web/lib/lazy.tsx';
import { displaySize } from './bubble.tsx';
import { useChat } from './chat-context.tsx';

const ImageViewer = lazyWithRetry(() => import('./image-viewer.lazy.tsx'));

/**
 * The address of a message's picture, and its renewal. Addresses end after an hour or two, while the messages stay in the page: the message
 * is read once more, by the same call that displayed it.
 */
function useAddress({ groupId, seq, content }: ChatMessage): [address: string, renew: () => void] {
  const chat = useChat();
  const [renewed, setRenewed] = useState<{ from: string | undefined; to: string } | null>(null);
  const address = (renewed?.from === content.imageUri ? renewed?.to : content.imageUri) ?? '';
  const renew = async () => {
    const { list } = await chat.api.history(groupId, seq + 1, 1);
    const to = list.find((message) => message.seq === seq)?.content.imageUri;
    if (to !== undefined && to !== address) setRenewed({ from: content.imageUri, to });
  };
  // Without the message the picture stays as it is, broken: it was recalled, or the network is gone.
  return [address, () => void renew().catch(() => undefined)];
}

/** A picture in the conversation; pressing it opens it in full size. */
export default function ChatImage({ message }: { message: ChatMessage }) {
  const [open, setOpen] = useState(false);
  const [address, renew] = useAddress(message);
  const size = displaySize(message.content);
  const { width = size.width, height = size.height } = message.content;
  return (
    <>
      <button
        type="button"
        className="bubble bubble-image"
        style={size}
        aria-label="查看大图"
        onClick={() => setOpen(true)}
      >
        <img src={width > 640 ? `${address}?w=640` : address} alt="聊天图片" {...size} onError={renew} />
      </button>
      {open && (
        <ImageViewer src={address} width={width} height={height} onError={renew} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
