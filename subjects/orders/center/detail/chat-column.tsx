import { dueStep } from '../../rules/order-text.ts';
import { Link } from 'react-router';
import { isCancelled, isEnded } from '../../rules/order-status.ts';
import { cookie } from '#web/lib/session/cookies.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { useMedia } from '#web/lib/browser/use-media.ts';
import { ChatSkeleton } from '#subjects/chat/web/parts/chat/chat-skeleton.tsx';
import { DueStrip } from '../../web/parts/order/due-strip.tsx';
import { quickSentences } from '#subjects/chat/web/parts/chat/quick-sentences.ts';
import { chatPath, servicePath } from '../../web/parts/order/order-links.ts';
import { cx } from '#web/ui/class-names.ts';
import { EmptyState } from '#web/ui/states.tsx';
import type { OrderPageData } from './load-order.ts';

/** Loaded on wide screens only: narrow ones link to the conversation's own page. */
const OrderChat = lazyWithRetry(
  () => import('./order-chat.lazy.tsx'),
  ({ loading }) => loading,
);
/** From here on the conversation has a separate column (`xl` of the styles). */
const HAS_COLUMN = '(min-width: 80rem)';

type Order = OrderPageData['order'];

function sentencesOf(order: Order): readonly string[] {
  const step = dueStep(order);
  return quickSentences({ viewer: order.viewer, step: step?.key ?? null, isMine: step?.mine ?? false });
}

/** The conversation; until its script has loaded, the server-rendered part. */
function Talk({ order, to, isWide }: { order: Order; to: string; isWide: boolean }) {
  const strip = <DueStrip order={order} />;
  const quick = isEnded(order.status) ? [] : sentencesOf(order);
  const loading = (
    <ChatSkeleton
      strip={strip}
      hasQuick={quick.length > 0}
      groupId={order.groupId}
      draftOwner={import.meta.env.SSR ? '' : (cookie('userId') ?? '')}
    />
  );
  if (!isWide) return loading;
  return (
    <OrderChat orderSn={order.orderSn} groupId={order.groupId} to={to} strip={strip} quick={quick} loading={loading} />
  );
}

/** The column next to the order on wide screens: its conversation, which stays in view while the order is scrolled. */
export function ChatColumn({ order }: { order: Order }) {
  const isWide = useMedia(HAS_COLUMN);
  const to = chatPath(order);
  return (
    <aside
      // Without a conversation it is as high as its sentence.
      className={cx('panel order-chat overflow-clip', to === null && 'h-auto! min-h-0!')}
      aria-label="交易群"
    >
      {to === null ? (
        <EmptyState
          title={isCancelled(order.status) ? '订单没有付款，没有交易群' : '付款后开通交易群'}
          action={
            <Link to={servicePath(order)} className="link text-13">
              {isCancelled(order.status) ? '问客服' : '先问客服'}
            </Link>
          }
        >
          {!isCancelled(order.status) &&
            `和${order.viewer === 'buyer' ? '卖家' : '买家'}、平台客服在同一个群里沟通，聊天记录可作凭证。`}
        </EmptyState>
      ) : (
        <Talk order={order} to={to} isWide={isWide} />
      )}
    </aside>
  );
}
