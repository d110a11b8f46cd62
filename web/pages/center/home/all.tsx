import { Search } from 'lucide-react';
import { useState } from 'react';
import { type LoaderFunctionArgs, Link, useLoaderData } from 'react-router';
import { allFunctions } from '#web/layouts/shell/center-menu.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { EmptyState } from '#web/ui/states.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '全部功能', noindex: true });
}

export function loader(args: LoaderFunctionArgs) {
  return { groups: allFunctions(market(args).user).filter(({ name }) => name) };
}

/** Every function of the centre by group, narrowed by what is typed; the menu shows only those of the user's roles. */
export default function AllFunctionsPage() {
  const { groups } = useLoaderData<typeof loader>();
  const [typed, setTyped] = useState('');
  const q = typed.trim();
  const found = groups
    .map(({ name, items }) => ({ name, items: items.filter(({ label }) => `${name}${label}`.includes(q)) }))
    .filter(({ items }) => items.length > 0);
  return (
    <section className="panel" aria-labelledby="all">
      <div className="panel-head flex-wrap py-2">
        <h1 id="all" className="text-16 font-semibold">
          全部功能
        </h1>
        <label className="relative ml-auto max-md:w-full">
          <Search
            className="icon pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-3"
            aria-hidden="true"
          />
          <input
            type="search"
            className="input pl-8!"
            placeholder="搜功能，如 提现"
            aria-label="搜功能"
            value={typed}
            maxLength={20}
            autoComplete="off"
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
      </div>
      {found.map(({ name, items }) => (
        <section key={name} className="border-b border-line-soft px-4 py-3 last:border-b-0" aria-label={name}>
          <h2 className="mb-1 text-12 text-ink-3">{name}</h2>
          <ul className="grid grid-cols-3 gap-x-2 md:grid-cols-5">
            {items.map(({ label, to }) => (
              <li key={to}>
                <Link to={to} className="flex h-10 items-center rounded-control text-14 hover:text-link">
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <p role="status" className="sr-only">
        {q && `找到 ${found.reduce((sum, { items }) => sum + items.length, 0)} 项`}
      </p>
      {found.length === 0 && <EmptyState title={`没有名称含“${q}”的功能`}>换个词试试，或清空后看全部。</EmptyState>}
    </section>
  );
}
