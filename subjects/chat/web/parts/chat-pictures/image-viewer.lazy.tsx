import { X } from 'lucide-react';
import { useState } from 'react';
import type { ChatMessage } from '#subjects/chat/contract/im.ts';
import { useModal } from '#web/ui/overlays/use-modal.ts';
import { useChat } from '../chat-link/chat-context.tsx';

/**
 * The URL of a message's picture, and its renewal. URLs expire after an hour or two, while the messages stay on the
 * page: the message is then reloaded by the same call that displayed it.
 */
function useAddress({ groupId, seq, content }: ChatMessage): [address: string | undefined, renew: () => void] {
  const chat = useChat();
  const [address, setAddress] = useState(content.imageUri);
  const renew = async () => {
    const { list } = await chat.api.history(groupId, seq + 1, 1);
    setAddress(list.find((message) => message.seq === seq)?.content.imageUri);
  };
  // Without a response (no network) the picture stays unchanged.
  return [address, () => void renew().catch(() => undefined)];
}

/** The picture of a message in full size; Escape, the cross and the backdrop close it. */
export default function ImageViewer({ message, onClose }: { message: ChatMessage; onClose: () => void }) {
  const ref = useModal();
  const [address, renew] = useAddress(message);
  const { width, height } = message.content;
  return (
    <dialog
      ref={ref}
      className="chat-viewer"
      aria-label="图片"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={onClose}
    >
      {address !== undefined && <img src={address} width={width} height={height} alt="聊天图片" onError={renew} />}
      <button
        type="button"
        aria-label="关闭"
        className="fixed top-3 right-3 grid size-10 place-items-center rounded-full bg-black text-white"
        onClick={onClose}
      >
        <X className="icon size-5" aria-hidden="true" />
      </button>
    </dialog>
  );
}
