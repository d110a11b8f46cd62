import { MessagesSquare } from 'lucide-react';

/** What stands for WeChat: two plain speech bubbles, nobody's mark. */
export function WechatIcon({ className }: { className?: string }) {
  return <MessagesSquare className={className} strokeWidth={1.75} aria-hidden="true" />;
}
