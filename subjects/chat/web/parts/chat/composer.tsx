import { ImagePlus, SendHorizontal } from 'lucide-react';
import {
  type ClipboardEvent,
  type ComponentType,
  type DragEvent,
  type KeyboardEvent,
  type RefObject,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { IMAGE_STAGGER_MS } from '#contract/rules/limits.ts';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { useChat } from '../chat-link/chat-context.tsx';
import { takeOver } from './chat-skeleton.tsx';
import { draftOf, saveDraft } from '../chat-link/drafts.ts';
import { pastedImages } from '../chat-pictures/paste.ts';
import { MAX_IMAGES, sendImages } from '../chat-pictures/pictures.ts';
import { pressedKey } from '#web/lib/forms/pressed-key.ts';
import { pictureInput } from '#web/lib/media/picture-input.ts';

const MAX_CHARS = 2000;
/** Below this width Enter on a touch keyboard inserts a line break, and the button sends. */
const PHONE = '(max-width: 767px)';

/** The draft of this group, stored on this device. Browser only. */
function useDraft(owner: string, groupId: string) {
  const [text, setText] = useState(() => draftOf(owner, groupId));
  const [restored, setRestored] = useState(text !== '');
  const write = (next: string) => {
    setText(next);
    setRestored(false);
    saveDraft(owner, groupId, next);
  };
  return { text, restored, write };
}

/** Takes pasted or dropped pictures; text is handled by the browser. */
function useImages(groupId: string) {
  const chat = useChat();
  const send = (file: File) => chat.sendImage(groupId, file);
  const onPaste = (event: ClipboardEvent) => {
    const { files, links } = pastedImages(event.clipboardData);
    if (files.length === 0 && links.length === 0) return;
    event.preventDefault();
    sendImages(files, send);
    for (const [index, link] of links.slice(0, MAX_IMAGES).entries())
      setTimeout(() => chat.sendText(groupId, link), (files.length + index) * IMAGE_STAGGER_MS);
  };
  const onDrop = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    sendImages([...event.dataTransfer.files], send);
  };
  return { onPaste, onDrop, onFiles: (files: readonly File[]) => sendImages(files, send) };
}

/**
 * A field that grows with its text. While hidden behind a phone's list it has no height, so it is measured again when
 * it becomes visible.
 */
function useAutoHeight(text: string): RefObject<HTMLTextAreaElement | null> {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    const resize = () => {
      area.style.height = 'auto';
      if (area.scrollHeight > 0) area.style.height = `${area.scrollHeight + 2}px`;
    };
    resize();
    let width = area.clientWidth;
    const sized = new ResizeObserver(() => {
      if (area.clientWidth === width) return;
      width = area.clientWidth;
      resize();
    });
    sized.observe(area);
    return () => sized.disconnect();
  }, [text]);
  return field;
}

/** Buttons that insert text into the field, at the cursor. */
export type FieldTools = ComponentType<{ onPick: (inserted: string) => void }>;

/**
 * The input of a conversation; rendered only in the browser, and recreated for another group. Enter sends, with Ctrl or ⌘ everywhere,
 * and Shift+Enter inserts a line break; pictures are selected, pasted or dropped.
 */
export function Composer({
  groupId,
  draftOwner,
  placeholder,
  tools: Tools,
  quick = [],
}: {
  groupId: string;
  draftOwner: string;
  placeholder: string;
  /** Additional buttons next to the picture button. */
  tools?: FieldTools | undefined;
  quick?: readonly string[];
}) {
  const chat = useChat();
  const { text, restored, write } = useDraft(draftOwner, groupId);
  const { onPaste, onDrop, onFiles } = useImages(groupId);
  const field = useAutoHeight(text);
  const picker = useRef<HTMLInputElement>(null);

  const send = () => {
    if (text.trim() === '') return toast('消息不能为空', 'warn');
    if (text.length > MAX_CHARS) return toast(`消息不能超过 ${MAX_CHARS} 个字`, 'warn');
    chat.sendText(groupId, text);
    write('');
    field.current?.focus();
  };
  const insert = (inserted: string) => {
    const at = field.current?.selectionStart ?? text.length;
    write(`${text.slice(0, at)}${inserted}${text.slice(field.current?.selectionEnd ?? at)}`.slice(0, MAX_CHARS));
    field.current?.focus();
  };
  const start = useEffectEvent(() => {
    const area = field.current;
    const { hasFocus, isSent } = takeOver(groupId);
    if (hasFocus && area) {
      area.focus();
      area.setSelectionRange(area.value.length, area.value.length);
    }
    if (isSent && text.trim() !== '') send();
  });
  useLayoutEffect(() => start(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    const plain = !event.shiftKey && !event.altKey;
    if (pressedKey(event) !== 'Enter' || !plain) return;
    const isMeant = event.ctrlKey || event.metaKey;
    if (!isMeant && window.matchMedia(PHONE).matches && window.matchMedia('(hover: none)').matches) return;
    event.preventDefault();
    send();
  };

  return (
    <div className="chat-field" onDrop={onDrop} onDragOver={(event) => event.preventDefault()}>
      {quick.length > 0 && (
        <ul className="chat-quick" aria-label="常用语">
          {quick.map((sentence) => (
            <li key={sentence}>
              <button type="button" onClick={() => insert(sentence)}>
                {sentence}
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="flex items-end gap-2 md:block">
        <div className="flex items-center md:mb-1 md:-ml-2">
          <Button kind="ghost" size="sm" aria-label="发送图片" onClick={() => picker.current?.click()}>
            <ImagePlus className="icon" aria-hidden="true" />
            <span className="max-md:hidden">图片</span>
          </Button>
          <input
            ref={picker}
            type="file"
            {...pictureInput}
            multiple
            hidden
            onChange={(event) => {
              onFiles([...(event.target.files ?? [])]);
              event.target.value = '';
            }}
          />
          {Tools && <Tools onPick={insert} />}
          {restored && <span className="ml-auto text-12 text-ink-3 max-md:hidden">草稿已恢复</span>}
        </div>
        <textarea
          ref={field}
          value={text}
          rows={1}
          maxLength={MAX_CHARS}
          aria-label="消息"
          placeholder={placeholder}
          className="md:min-h-12"
          enterKeyHint="send"
          onChange={(event) => {
            write(event.target.value);
            if (event.target.value.trim() !== '') chat.typing(groupId);
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <div className="flex items-center justify-between md:mt-1">
          <span className="text-12 text-ink-3 max-md:hidden">Enter 发送，Shift + Enter 换行</span>
          <Button kind="primary" onClick={send} aria-label="发送">
            <SendHorizontal className="icon" aria-hidden="true" />
            <span className="max-md:hidden">发送</span>
          </Button>
        </div>
      </div>
    </div>
  );
}
