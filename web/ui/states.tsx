import { CircleAlert, Inbox } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import { Button } from './button.tsx';
import { cx } from './class-names.ts';

/** A grey placeholder for loading content; give it the content's own size. */
export function Skeleton({ className, style }: { className?: string; style?: CSSProperties }) {
  return <div className={cx('skeleton', className)} style={style} aria-hidden="true" />;
}

/** The empty state of a list: a message, the suggested next step, and its button. */
export function EmptyState({
  title = '暂无数据',
  children,
  action,
  icon,
}: {
  title?: string;
  children?: ReactNode;
  action?: ReactNode;
  icon?: ReactNode;
}) {
  return (
    <div className="grid justify-items-center gap-2 px-6 py-12 text-center">
      <span className="text-ink-4" aria-hidden="true">
        {icon ?? <Inbox className="icon size-8" strokeWidth={1.25} />}
      </span>
      <p className="text-14 font-medium text-ink-2">{title}</p>
      {children && <div className="max-w-96 text-13 text-balance text-ink-3">{children}</div>}
      {action && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

/** A part that failed to load, with a button to retry. */
export function ErrorState({ message = '加载失败，请稍后再试', onRetry }: { message?: string; onRetry?: () => void }) {
  return (
    <div className="grid justify-items-center gap-2 px-6 py-12 text-center" role="alert">
      <CircleAlert className="icon size-8 text-attn" strokeWidth={1.25} aria-hidden="true" />
      <p className="text-14 text-ink-2">{message}</p>
      {onRetry && (
        <Button size="sm" className="mt-2" onClick={onRetry}>
          重试
        </Button>
      )}
    </div>
  );
}
