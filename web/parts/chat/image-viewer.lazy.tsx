import { X } from 'lucide-react';
import { useModal } from '#web/ui/use-modal.ts';

/** A picture of the conversation in full size; Escape, the cross and the backdrop close it. */
export default function ImageViewer({
  src,
  width,
  height,
  onError,
  onClose,
}: {
  src: string;
  width: number;
  height: number;
  onError: () => void;
  onClose: () => void;
}) {
  const ref = useModal();
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
      <img src={src} width={width} height={height} alt="聊天图片" onError={onError} />
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
