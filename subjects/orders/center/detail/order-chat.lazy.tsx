import { Maximize2 } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { getImGroupIdMap, getImParams } from '#subjects/chat/contract/im.ts';
import { call } from '#web/lib/api/api.ts';
import { asFailure } from '#web/lib/api/call-errors.ts';
import { cookie } from '#web/lib/session/cookies.ts';
import { imProviderChat, userChat } from '#subjects/chat/web/parts/chat-link/apis.ts';
import type { ChatApi } from '#subjects/chat/web/parts/chat-link/api.ts';
import { ChatProvider } from '#subjects/chat/web/parts/chat-link/chat-context.tsx';
import { Conversation } from '#subjects/chat/web/parts/chat/conversation.tsx';
import { useCardRefresh } from '#subjects/chat/web/parts/chat-link/use-card-refresh.ts';
import { servicePath } from '../../web/parts/order/order-links.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState, ErrorState } from '#web/ui/states.tsx';

interface Place {
  api: ChatApi;
  /** Null when the order has none. */
  groupId: string | null;
}

/** How messages arrive, and the order's group, which is created now for a paid order without one. */
async function loadPlace(orderSn: string, known: string | null): Promise<Place> {
  const [im, map] = await Promise.all([
    call(getImParams, {}, { quiet: true }),
    known === null ? call(getImGroupIdMap, { orderSnList: orderSn }, { quiet: true }) : null,
  ]);
  return {
    api: im.transport === 'rongcloud' ? imProviderChat(im.appKey) : userChat,
    groupId: known ?? map?.[orderSn]?.[0]?.groupId ?? null,
  };
}

/** A system message means that the order changed, so the page is reloaded. */
function Refresher() {
  useCardRefresh();
  return null;
}

/** The order's conversation next to its page, with the due action pinned below its header. */
export default function OrderChat({
  orderSn,
  groupId,
  to,
  strip,
  quick,
  loading,
}: {
  orderSn: string;
  groupId: string | null;
  /** The conversation's own page. */
  to: string;
  strip: ReactNode;
  quick: readonly string[];
  /** Shown until the conversation's location is known. */
  loading: ReactNode;
}) {
  const [place, setPlace] = useState<Place | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    loadPlace(orderSn, groupId).then(
      (found) => isCurrent && setPlace(found),
      (thrown: unknown) => isCurrent && setFailure(asFailure(thrown).msg),
    );
    return () => {
      isCurrent = false;
    };
  }, [orderSn, groupId, round]);
  const retry = () => {
    setFailure(null);
    setRound(round + 1);
  };
  if (failure !== null) return <ErrorState message={failure} onRetry={retry} />;
  if (!place) return loading;
  if (place.groupId === null)
    return (
      <EmptyState title="该订单没有群聊" action={<ButtonLink to={servicePath({ goodsSn: null })}>联系客服</ButtonLink>}>
        需要沟通请联系客服。
      </EmptyState>
    );
  return (
    <ChatProvider api={place.api}>
      <Refresher />
      <Conversation
        groupId={place.groupId}
        draftOwner={cookie('userId') ?? ''}
        strip={strip}
        quick={quick}
        headEnd={
          <Link
            to={to}
            className="ml-auto grid size-8 flex-none place-items-center text-ink-3 hover:text-link"
            aria-label="打开交易群页面"
            title="打开交易群页面"
          >
            <Maximize2 className="icon" aria-hidden="true" />
          </Link>
        }
      />
    </ChatProvider>
  );
}
