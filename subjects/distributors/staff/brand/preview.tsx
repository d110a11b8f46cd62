import { ExternalLink } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type BrandField, brandFieldNames } from '#subjects/distributors/contract/brand-content.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import type { BrandForm } from './use-brand-form.ts';

const PAGES = [
  ['/', '首页'],
  ['/wares?gt=1', '列表'],
  ['/allgame', '全部游戏'],
  ['/login', '登录'],
] as const;

/** A page of the site at its own width, scaled down to its frame. It is not interactive. */
function SiteFrame({ src, title, width, height }: { src: string; title: string; width: number; height: number }) {
  const box = useRef<HTMLDivElement>(null);
  const [scale, setScale] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setScale(element.clientWidth / width));
    observer.observe(element);
    return () => observer.disconnect();
  }, [width]);
  return (
    <div
      ref={box}
      className="relative overflow-hidden rounded-control border border-line bg-sunken"
      style={{ aspectRatio: `${width} / ${height}` }}
    >
      {scale > 0 && (
        <iframe
          src={src}
          title={title}
          tabIndex={-1}
          loading="lazy"
          className="pointer-events-none absolute top-0 left-0 border-0"
          style={{ width, height, transformOrigin: '0 0', transform: `scale(${scale})` }}
        />
      )}
    </div>
  );
}

/** The address of a page of the preview, for a frame. */
function framed(url: string, path: string, round: number, theme: 'light' | 'dark'): string {
  const address = new URL(path, url);
  address.searchParams.set('preview', new URL(url).searchParams.get('preview') ?? '');
  address.searchParams.set('embed', String(round));
  address.searchParams.set('theme', theme);
  return address.href;
}

/** The site with the working copy: on a wide screen, and on a phone in light and dark. */
export function BrandPreview({ form }: { form: BrandForm }) {
  const { shown, failed } = form.preview;
  const [path, setPath] = useState<string>('/');
  return (
    <section className="panel overflow-hidden" aria-label="预览">
      <div className="flex flex-wrap items-center gap-2 border-b border-line-soft px-3 py-2">
        <h2 className="text-14 font-semibold">预览</h2>
        <div className="flex gap-1" role="group" aria-label="预览的页面">
          {PAGES.map(([to, name]) => (
            <button
              key={to}
              type="button"
              aria-pressed={path === to}
              className="rounded-control px-2 py-0.5 text-13 text-ink-2 hover:bg-hover aria-pressed:bg-brand-50 aria-pressed:font-medium aria-pressed:text-brand-700"
              onClick={() => setPath(to)}
            >
              {name}
            </button>
          ))}
        </div>
        {shown && (
          <a href={shown.url} target="_blank" rel="noopener" className={`${buttonClass({ size: 'sm' })} ml-auto`}>
            <ExternalLink className="icon size-3.5" aria-hidden="true" />
            新窗口
          </a>
        )}
      </div>
      <div className="grid gap-3 p-3">
        {failed && (
          <p className="text-13 text-danger" role="alert">
            {failed}
          </p>
        )}
        {shown ? (
          <>
            <div className="max-md:hidden">
              <SiteFrame
                src={framed(shown.url, path, shown.round, 'light')}
                title="电脑上的样子"
                width={1280}
                height={940}
              />
            </div>
            <div className="grid grid-cols-3 gap-3 max-md:grid-cols-2">
              <SiteFrame
                src={framed(shown.url, path, shown.round, 'light')}
                title="手机上的样子"
                width={390}
                height={780}
              />
              <SiteFrame
                src={framed(shown.url, path, shown.round, 'dark')}
                title="手机上深色的样子"
                width={390}
                height={780}
              />
              <Changes fields={form.changes} savedAt={shown.time} />
            </div>
          </>
        ) : (
          <EmptyState
            title={failed ? '预览暂时打不开' : form.changes.length > 0 ? '内容填对之后在这里看到' : '正在生成预览'}
          />
        )}
      </div>
    </section>
  );
}

/** The fields in which the working copy differs from the live version. */
function Changes({ fields, savedAt }: { fields: readonly BrandField[]; savedAt: string }) {
  return (
    <div className="rounded-control border border-line p-3 text-13 max-md:col-span-2">
      <h3 className="font-semibold">这次改了什么</h3>
      {fields.length === 0 ? (
        <p className="mt-1 text-ink-3">与线上相同</p>
      ) : (
        <ul className="mt-1 grid gap-0.5">
          {fields.map((field) => (
            <li key={field}>{brandFieldNames[field]}</li>
          ))}
        </ul>
      )}
      <p className="mt-2 text-12 text-ink-3">{shortAt(savedAt)} 自动保存为您的草稿</p>
    </div>
  );
}
