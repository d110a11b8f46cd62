import { CircleAlert, Ellipsis, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import type { ChatMember, ChatMessage } from '#subjects/chat/contract/im.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { cx } from '#web/ui/class-names.ts';
import { copyText } from '#web/ui/copy-button.tsx';
import { Menu } from '#web/ui/overlays/menu.tsx';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { Popover } from '#web/ui/overlays/popover.tsx';
import type { Pending } from '../chat-link/group.ts';
import { readText, senderOf } from '../chat-link/rows.ts';

const ImageViewer = lazyWithRetry(() => import('../chat-pictures/image-viewer.lazy.tsx'));

/** The server's replacement for forbidden text. */
const MASK = '＊＊＊＊';
const RECALL_MS = 120_000;
/** Maximum size of a picture in the conversation, in px. */
const IMAGE_MAX = { width: 240, height: 260 };
const IMAGE_MIN = 72;

/** The display size of a picture: known before it loads, so that nothing shifts. */
export function displaySize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, IMAGE_MAX.width / width, IMAGE_MAX.height / height);
  return {
    width: Math.max(IMAGE_MIN, Math.round(width * scale)),
    height: Math.max(IMAGE_MIN, Math.round(height * scale)),
  };
}

function MessageText({ text }: { text: string }) {
  const parts = text.split(MASK);
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their order
    <span key={index}>
      {index > 0 && <span className="chat-masked">已遮挡</span>}
      {part}
    </span>
  ));
}

/** A picture in the conversation; clicking it opens it in full size. */
function ChatImage({ message }: { message: ChatMessage }) {
  const [open, setOpen] = useState(false);
  const { imageUri = '', width = IMAGE_MAX.width, height = IMAGE_MAX.height } = message.content;
  return (
    <>
      <button
        type="button"
        className="bubble bubble-image"
        style={displaySize(width, height)}
        aria-label="查看大图"
        onClick={() => setOpen(true)}
      >
        <img src={width > 640 ? `${imageUri}?w=640` : imageUri} alt="聊天图片" {...displaySize(width, height)} />
      </button>
      {open && <ImageViewer message={message} onClose={() => setOpen(false)} />}
    </>
  );
}

const StaffIdentity = lazyWithRetry(() => import('./staff-identity.lazy.tsx'));

/** Badge that proves that the sender is staff; opens their name and the order that they serve. */
function StaffBadge({ name, orderSn, isCurrent }: { name: string; orderSn: string | null; isCurrent: boolean }) {
  return (
    <Popover
      label="客服身份"
      className="max-w-72 p-3"
      trigger={(props) => (
        <button type="button" {...props} className="chat-staff">
          <ShieldCheck className="icon size-3" aria-hidden="true" />
          平台客服
        </button>
      )}
    >
      {() => <StaffIdentity name={name} orderSn={orderSn} isCurrent={isCurrent} />}
    </Popover>
  );
}

interface BubbleContext {
  members: readonly ChatMember[];
  me: string;
  orderSn: string | null;
}

function SenderName({ imUid, context }: { imUid: string; context: BubbleContext }) {
  const { name, role, isStaff } = senderOf(context.members, imUid);
  const isCurrent = context.members.some((m) => m.imUid === imUid && m.isCurrent);
  return (
    <span className="flex items-center gap-1.5 text-12 text-ink-3">
      {name}
      {isStaff ? (
        <StaffBadge name={name} orderSn={context.orderSn} isCurrent={isCurrent} />
      ) : (
        role && <span className="tag">{role}</span>
      )}
    </span>
  );
}

/** Menu item to recall a message, while its two minutes last at the time the menu is opened. */
function RecallItem({ sentTime, onRecall }: { sentTime: number; onRecall: () => void }) {
  const [isTooOldToRecall] = useState(() => Date.now() - sentTime > RECALL_MS);
  return (
    <button type="button" role="menuitem" className="menu-item" disabled={isTooOldToRecall} onClick={onRecall}>
      {isTooOldToRecall ? '超过两分钟，不能撤回' : '撤回'}
    </button>
  );
}

function More({ message, onRecall }: { message: ChatMessage; onRecall: () => void }) {
  const mine = message.messageDirection === 1;
  const text = message.messageType === 'text' ? message.content.content : undefined;
  if (!mine && text === undefined) return null;
  return (
    <Menu
      label="消息操作"
      align={mine ? 'end' : 'start'}
      trigger={(props) => (
        <button
          type="button"
          {...props}
          aria-label="消息操作"
          className="chat-more grid size-6 flex-none place-items-center rounded-control text-ink-3 hover:bg-sunken"
        >
          <Ellipsis className="icon" aria-hidden="true" />
        </button>
      )}
    >
      {() => (
        <>
          {text !== undefined && (
            <button type="button" role="menuitem" className="menu-item" onClick={() => void copyText(text)}>
              复制
            </button>
          )}
          {mine && <RecallItem sentTime={message.sentTime} onRecall={onRecall} />}
        </>
      )}
    </Menu>
  );
}

/** One message with its sender; own messages are on the right in the brand's tint. */
export function Bubble({
  message,
  first,
  last,
  context,
  onRecall,
}: {
  message: ChatMessage;
  first: boolean;
  last: boolean;
  context: BubbleContext;
  onRecall: () => void;
}) {
  const mine = message.messageDirection === 1;
  const sender = senderOf(context.members, message.senderUserId);
  return (
    <div data-seq={message.seq} className={cx('chat-row', mine && 'chat-row-mine', first && 'chat-row-first')}>
      {!mine &&
        (first ? <Avatar name={sender.name} src={sender.avatar} size={34} /> : <span className="w-[34px] flex-none" />)}
      <div className="chat-said">
        {!mine && first && <SenderName imUid={message.senderUserId} context={context} />}
        {(mine || !first) && <span className="sr-only">{mine ? '我' : sender.name}：</span>}
        <div className="chat-line">
          {message.messageType === 'image' ? (
            <ChatImage message={message} />
          ) : (
            <p className="bubble" title={fullTime(message.sentTime)}>
              <MessageText text={message.content.content ?? ''} />
            </p>
          )}
          <More message={message} onRecall={onRecall} />
        </div>
        {mine && last && (
          <span className="text-11 text-ink-3">{readText(context.members, context.me, message.seq)}</span>
        )}
      </div>
    </div>
  );
}

/** A local picture during its upload: it takes its final space immediately. */
function Preview({ src }: { src: string }) {
  const [size, setSize] = useState(IMAGE_MAX);
  return (
    <span className="bubble bubble-image" style={size}>
      <img
        src={src}
        {...size}
        alt="正在发送的图片"
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setSize(displaySize(naturalWidth || 1, naturalHeight || 1))
        }
      />
    </span>
  );
}

/** A message that the server has not acknowledged: being sent, or failed with a button to send it again. */
export function PendingBubble({
  pending,
  first,
  onRetry,
  onDiscard,
}: {
  pending: Pending;
  first: boolean;
  onRetry: () => void;
  onDiscard: () => void;
}) {
  const failed = pending.state === 'failed';
  return (
    <div className={cx('chat-row chat-row-mine', first && 'chat-row-first')}>
      <div className="chat-said">
        <span className="sr-only">我：</span>
        <div className="chat-line">
          {pending.image ? <Preview src={pending.image.preview} /> : <p className="bubble">{pending.text}</p>}
          {!failed && <span className="spinner flex-none text-ink-3" role="status" aria-label="发送中" />}
        </div>
        {failed && (
          <span className="flex flex-wrap items-center justify-end gap-x-2 text-12 text-danger" role="alert">
            <CircleAlert className="icon size-3.5" aria-hidden="true" />
            {pending.reason}
            <button type="button" className="link hit" onClick={onRetry}>
              重新发送
            </button>
            <button type="button" className="hit text-ink-3 hover:text-ink" onClick={onDiscard}>
              删除
            </button>
          </span>
        )}
      </div>
    </div>
  );
}
