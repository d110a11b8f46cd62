import type { ReactNode } from 'react';

/** One part of the editor, which the list of sections links to. */
export function Section({
  id,
  title,
  note,
  children,
}: {
  id: string;
  title: string;
  note?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section id={id} className="panel scroll-mt-16" aria-labelledby={`${id}-title`}>
      <div className="flex flex-wrap items-baseline gap-x-2 border-b border-line-soft px-4 py-2.5">
        <h2 id={`${id}-title`} className="text-14 font-semibold">
          {title}
        </h2>
        {note && <span className="text-12 text-ink-3">{note}</span>}
      </div>
      <div className="grid gap-3 p-4">{children}</div>
    </section>
  );
}
