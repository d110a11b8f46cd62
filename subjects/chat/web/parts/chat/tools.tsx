import { BellOff, BellRing, Ellipsis, Search, Star } from 'lucide-react';
import { useState } from 'react';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { Menu } from '#web/ui/overlays/menu.tsx';
import { useChat } from '../chat-link/chat-context.tsx';
import type { GroupView } from '../chat-link/group.ts';

/** Opened by a click. */
const RateDialog = lazyWithRetry(() => import('./rate-dialog.lazy.tsx'));

/** Actions of a conversation: search, mute, rate its customer service. */
export function ChatTools({ group, onSearch }: { group: GroupView; onSearch: () => void }) {
  const chat = useChat();
  const [rating, setRating] = useState(false);
  const { groupId, info } = group;
  const { api } = chat;
  const muted = info?.muted ?? false;
  const toggle = async () => {
    try {
      await api.mute?.(groupId, !muted);
      await chat.refresh(groupId);
    } catch {
      // The error was shown.
    }
  };
  const Bell = muted ? BellRing : BellOff;
  return (
    <>
      <Menu
        label="会话操作"
        align="end"
        trigger={(props) => (
          <button
            type="button"
            {...props}
            aria-label="会话操作"
            className="grid size-8 flex-none place-items-center rounded-control text-ink-2 hover:bg-sunken"
          >
            {muted ? <BellOff className="icon" aria-hidden="true" /> : <Ellipsis className="icon" aria-hidden="true" />}
          </button>
        )}
      >
        {() => (
          <>
            <button type="button" role="menuitem" className="menu-item" onClick={onSearch}>
              <Search className="icon" aria-hidden="true" />
              搜索聊天记录
            </button>
            {api.mute && (
              <button type="button" role="menuitem" className="menu-item" onClick={() => void toggle()}>
                <Bell className="icon" aria-hidden="true" />
                {muted ? '取消免打扰' : '消息免打扰'}
              </button>
            )}
            {api.rate && (
              <button type="button" role="menuitem" className="menu-item" onClick={() => setRating(true)}>
                <Star className="icon" aria-hidden="true" />
                {info?.rated ? '修改客服评价' : '评价客服'}
              </button>
            )}
          </>
        )}
      </Menu>
      {rating && (
        <RateDialog
          groupId={groupId}
          before={info?.rated ?? null}
          onClose={() => setRating(false)}
          onDone={() => {
            setRating(false);
            void chat.refresh(groupId);
          }}
        />
      )}
    </>
  );
}
