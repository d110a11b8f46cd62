import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { ErrorState, Skeleton } from '#web/ui/states.tsx';
import type { PanelState } from './use-panel.ts';

/** A panel around a part that loads on its own: a skeleton of about its height, then the content; a failure can be retried here. */
export function Panel<T>({
  title,
  note,
  aside,
  of,
  minHeight = 160,
  className,
  children,
}: {
  title: string;
  note?: ReactNode;
  aside?: ReactNode;
  of: PanelState<T>;
  minHeight?: number;
  className?: string;
  children: (data: T) => ReactNode;
}) {
  return (
    <section className={cx('panel min-w-0', className)} aria-label={title} aria-busy={of.isLoading}>
      <div className="panel-head max-md:flex-wrap">
        <h2>{title}</h2>
        {note !== undefined && <p>{note}</p>}
        {aside !== undefined && (
          <span className="ml-auto flex items-center gap-2 text-12 max-md:flex-wrap max-md:justify-end">{aside}</span>
        )}
      </div>
      <PanelBody of={of} minHeight={minHeight}>
        {children}
      </PanelBody>
    </section>
  );
}

/**
 * The content of a part that loads on its own: figures of another filter are dimmed, and after a failure a message
 * explains them.
 */
export function PanelBody<T>({
  of,
  minHeight,
  children,
}: {
  of: PanelState<T>;
  minHeight: number;
  children: (data: T) => ReactNode;
}) {
  if (of.data === null) {
    if (of.failure !== null) return <ErrorState message={of.failure} onRetry={of.reload} />;
    return (
      <div className="p-4" style={{ minHeight }}>
        <Skeleton className="w-full rounded-control" style={{ height: minHeight - 32 }} />
      </div>
    );
  }
  return (
    <>
      {of.failure !== null && (
        <p className="flex flex-wrap items-center gap-2 px-4 pt-2 text-12 text-attn" role="status">
          {of.isOld ? '新的筛选没有读到，下面还是上一个筛选的数据' : '没有更新'}：{of.failure}
          <Button size="sm" kind="ghost" onClick={of.reload}>
            重试
          </Button>
        </p>
      )}
      <div className={cx(of.isOld && 'opacity-60')}>{children(of.data)}</div>
    </>
  );
}
