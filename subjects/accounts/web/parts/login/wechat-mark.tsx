import { MessagesSquare } from 'lucide-react';

/** The icon for WeChat: two plain speech bubbles, not the trademark. */
export function WechatIcon({ className }: { className?: string }) {
  return <MessagesSquare className={className} strokeWidth={1.75} aria-hidden="true" />;
}
