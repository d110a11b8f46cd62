import { ExternalLink, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { Data, Endpoint, Input } from '#contract/endpoint.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ErrorState, Skeleton } from '#web/ui/states.tsx';
import { readPart } from '../parts/read.ts';
import { useClosedReason } from '../parts/user-link.tsx';
import type { DrawerControls } from './list-page.tsx';

/**
 * The frame of a record next to the list: its number, its position in the list, the link to its page, and the close
 * button.
 */
export function Drawer({
  number,
  label,
  page,
  controls,
  children,
}: {
  number: string;
  label: string;
  page?: string | null;
  controls: DrawerControls;
  children: ReactNode;
}) {
  return (
    <>
      <header className="list-drawer-head">
        <CopyButton text={number} label={label} className="font-semibold" />
        <span className="text-12 text-ink-3">{controls.position}</span>
        <span className="ml-auto flex items-center gap-1">
          <button type="button" className="list-key" aria-label="上一行" onClick={() => controls.onStep(-1)}>
            K
          </button>
          <button type="button" className="list-key" aria-label="下一行" onClick={() => controls.onStep(1)}>
            J
          </button>
          {page && (
            <Link to={page} className="list-tool">
              <ExternalLink className="icon size-3.5" aria-hidden="true" />
              整页
              <kbd className="kbd">↵</kbd>
            </Link>
          )}
          <button type="button" className="list-tool" aria-label="关闭 Esc" onClick={controls.onClose}>
            <X className="icon size-4" aria-hidden="true" />
            <kbd className="kbd">Esc</kbd>
          </button>
        </span>
      </header>
      <div className="list-drawer-body">{children}</div>
    </>
  );
}

type Read<T> = { of: string; data: T } | { of: string; message: string };

/** Loads a record for the drawer; `again` reloads it. Undefined while loading. */
export function useRecord<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
): { data: Data<E> | undefined; message: string | null; again: () => void } {
  const key = JSON.stringify(input);
  const [read, setRead] = useState<Read<Data<E>> | null>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    return readPart(
      endpoint,
      JSON.parse(key) as Input<E>,
      (data) => setRead({ of: key, data }),
      (message) => setRead({ of: key, message }),
    );
  }, [endpoint, key, tries]);
  const current = read?.of === key ? read : null;
  return {
    data: current && 'data' in current ? current.data : undefined,
    message: current && 'message' in current ? current.message : null,
    again: () => setTries((n) => n + 1),
  };
}

/** The drawer while its record is loading, or after a failed load. */
export function DrawerWait({ message, onRetry }: { message: string | null; onRetry: () => void }) {
  if (message !== null) return <ErrorState message={message} onRetry={onRetry} />;
  return (
    <div className="grid gap-3 p-4" aria-label="正在读取">
      <Skeleton className="h-7 w-56" />
      <Skeleton className="h-4 w-80" />
      <Skeleton className="h-9 w-full" />
      <Skeleton className="h-40 w-full" />
      <Skeleton className="h-28 w-full" />
    </div>
  );
}

/** A part of the drawer with its heading. */
export function DrawerPart({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <section className="list-drawer-part" aria-label={title}>
      <h2>
        {title}
        {note && <span>{note}</span>}
      </h2>
      {children}
    </section>
  );
}

/** A user as the link to the user's page; where the caller cannot open it, the name and why. */
export function DrawerPerson({ role, name, id, note }: { role: string; name: string; id: string; note?: string }) {
  const closed = useClosedReason(id);
  const content = (
    <>
      <Avatar name={name} size={28} />
      <span className="min-w-0">
        <b className="block truncate">{name}</b>
        <span className="text-12 text-ink-3">{[role, note].filter(Boolean).join(' ')}</span>
        {closed && <span className="block text-12 text-ink-3">{closed}</span>}
      </span>
    </>
  );
  if (closed !== null) return <p className="list-person">{content}</p>;
  return (
    <Link to={`/backstage/users/${id}`} className="list-person">
      {content}
    </Link>
  );
}

/** Facts in two columns, each under its name. */
export function DrawerFacts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="list-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
