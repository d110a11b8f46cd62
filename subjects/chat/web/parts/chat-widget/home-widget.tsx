import { MessageSquare } from 'lucide-react';
import { unreadText } from '#contract/rules/limits.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { Popover } from '#web/ui/overlays/popover.tsx';

const WidgetOrders = lazyWithRetry(() => import('./home-widget.lazy.tsx'), <div className="h-80" aria-busy="true" />);

/**
 * The home page's widget for the order chat (product.md 2): the number of unread messages, and in its panel up to three
 * orders bought and three sold. The orders are loaded when it is opened; on phones the bottom bar links to the chat
 * instead.
 */
export function HomeWidget({ unread }: { unread: number }) {
  return (
    <div className="chat-dock">
      <Popover
        label="交易群"
        align="end"
        className="w-84"
        trigger={(props) => (
          <button type="button" {...props} className="chat-dock-button">
            <MessageSquare className="icon" aria-hidden="true" />
            交易群
            {unread > 0 && (
              <span className="badge">
                {unreadText(unread)}
                <span className="sr-only">条未读</span>
              </span>
            )}
          </button>
        )}
      >
        {() => <WidgetOrders />}
      </Popover>
    </div>
  );
}
