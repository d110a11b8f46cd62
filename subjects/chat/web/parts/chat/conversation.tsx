import { SERVICE_GROUP } from '#subjects/chat/rules/group-type.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { useChat, useGroup, useLinkState } from '../chat-link/chat-context.tsx';
import { MessagesSkeleton, PendingField } from './chat-skeleton.tsx';
import { Composer, type FieldTools } from './composer.tsx';
import type { GroupView } from '../chat-link/group.ts';
import { Messages } from './messages.tsx';
import type { Focus } from './search-panel.lazy.tsx';
import { ChatTools } from './tools.tsx';

/** Opened by a click. */
const SearchPanel = lazyWithRetry(() => import('./search-panel.lazy.tsx'));

/** Shows the state of the connection unless it is online. */
export function LinkBar() {
  const chat = useChat();
  const state = useLinkState();
  if (state === 'online' || state === 'connecting') return null;
  const labels = {
    lost: '连接已断开，正在重新连接…',
    replaced: '聊天已在其他窗口打开',
    ended: '登录已过期，请重新登录',
  }[state];
  return (
    <div className="chat-link" role="status">
      {state === 'lost' && <span className="spinner" aria-hidden="true" />}
      {labels}
      {state === 'ended' ? (
        // After a log-out elsewhere: goes to the log-in, which returns here.
        <Button size="sm" kind="ghost" onClick={() => window.location.reload()}>
          去登录
        </Button>
      ) : (
        <Button size="sm" kind="ghost" onClick={() => chat.retryConnection()}>
          {state === 'lost' ? '立即重试' : '在此窗口使用'}
        </Button>
      )}
    </div>
  );
}

/** The members of the group, and the member of customer service currently assigned to it. */
function Head({
  group,
  isService,
  ended,
  start,
  end,
}: {
  group: GroupView | undefined;
  isService: boolean;
  ended: boolean;
  start: ReactNode;
  end: ReactNode;
}) {
  const state = useLinkState();
  const members = group?.info?.members ?? [];
  const current = members.find((m) => m.isCurrent);
  const typing = members.find((m) => group?.typing.has(m.imUid));
  const isOver = ended || group?.info?.closed === true;
  const status = current
    ? `客服${current.nickName.replace(/^(平台)?客服/, '')} ${current.online ? '接待中' : '暂时离开'}`
    : isService
      ? '正在安排平台客服'
      : '正在为本单安排平台客服';
  return (
    <header className="chat-head">
      {start}
      <span className="flex -space-x-2 max-md:hidden" aria-hidden="true">
        {members.slice(0, 3).map((m) => (
          <span key={m.imUid} className="rounded-full ring-2 ring-panel">
            <Avatar name={m.nickName} src={m.avatar} size={30} />
          </span>
        ))}
      </span>
      <div className="grid min-w-0 flex-1">
        <h2 className="truncate text-14 font-semibold">
          {isService ? '平台客服' : `交易群${members.length > 0 ? `，${members.length} 人` : ''}`}
        </h2>
        <p className="flex items-center gap-1.5 truncate text-12 text-ink-3" aria-live="polite">
          {group?.info && (
            <>
              <i
                className={cx('dot', state === 'online' && !isOver && (current?.online ? 'dot-on' : 'dot-attn'))}
                aria-hidden="true"
              />
              <span className="truncate">
                {typing ? `${typing.nickName} 正在输入…` : isOver ? (isService ? '咨询已结束' : '群聊已结束') : status}
              </span>
            </>
          )}
        </p>
      </div>
      {end}
    </header>
  );
}

/**
 * One group's conversation, for the order chat and the back office; needs a ChatProvider above it. `draftOwner`
 * separates the drafts of several users of one device. `closedText` replaces the input.
 */
export function Conversation({
  groupId,
  draftOwner,
  isServiceLine = false,
  closedText = null,
  headStart = null,
  headEnd = null,
  strip = null,
  quick = [],
  tools,
}: {
  groupId: string;
  draftOwner: string;
  /** The line to customer service, known to the page before the group has loaded. */
  isServiceLine?: boolean;
  closedText?: string | null;
  headStart?: ReactNode;
  headEnd?: ReactNode;
  /** A line that stays below the header. */
  strip?: ReactNode;
  /** Sentences above the input; a click inserts one. */
  quick?: readonly string[];
  /** Additional buttons of the input (composer.tsx). */
  tools?: FieldTools;
}) {
  const chat = useChat();
  const group = useGroup(groupId);
  const [searching, setSearching] = useState<string | null>(null);
  const [focus, setFocus] = useState<Focus | null>(null);
  const isService = group?.info ? group.info.groupType === SERVICE_GROUP : isServiceLine;
  const isMember = chat.imUid === '' || (group?.info?.members.some((m) => m.imUid === chat.imUid) ?? true);
  const closed =
    closedText ??
    (group?.info?.closed
      ? isService
        ? '本次咨询已结束'
        : '群聊已结束，如需帮助请从订单页联系客服'
      : isMember
        ? null
        : '您不在该群聊中，只能查看');
  useEffect(() => {
    const seen = () => {
      if (document.visibilityState === 'visible') void chat.refresh(groupId);
    };
    document.addEventListener('visibilitychange', seen);
    return () => document.removeEventListener('visibilitychange', seen);
  }, [chat, groupId]);
  return (
    <section className="chat" aria-label="聊天">
      <Head
        group={group}
        isService={isService}
        ended={closedText !== null}
        start={headStart}
        end={
          <>
            {headEnd}
            {group && <ChatTools group={group} onSearch={() => setSearching(groupId)} />}
          </>
        }
      />
      {strip}
      <LinkBar />
      {searching === groupId && (
        <SearchPanel
          key={groupId}
          groupId={groupId}
          members={group?.info?.members ?? []}
          onFocus={setFocus}
          onClose={() => setSearching(null)}
        />
      )}
      {group ? (
        <Messages key={`messages-${groupId}`} group={group} focus={focus} />
      ) : (
        <div className="chat-scroll">
          <MessagesSkeleton />
        </div>
      )}
      {group?.notice && (
        <p className="flex-none bg-page px-4 pb-2 text-center text-12 text-ink-3" role="status">
          {group.notice}
        </p>
      )}
      {closed ? (
        <p className="flex-none border-t border-line px-4 py-4 text-center text-13 text-ink-3">{closed}</p>
      ) : group ? (
        <Composer
          key={`field-${groupId}`}
          groupId={groupId}
          draftOwner={draftOwner}
          placeholder={isService ? '输入消息，不要发送账号密码' : '输入消息，账号密码请用密封信息'}
          tools={tools}
          quick={quick}
        />
      ) : (
        <PendingField
          key={`pending-${groupId}`}
          groupId={groupId}
          draftOwner={draftOwner}
          hasQuick={quick.length > 0}
        />
      )}
    </section>
  );
}
