import type { ComponentProps, ComponentType } from 'react';
import { lazyWithMarkup } from '#web/lib/lazy-part.tsx';
import type * as chrome from './site-chrome.lazy.tsx';

type Chrome = typeof chrome;

const late = <N extends keyof Chrome>(name: N) =>
  lazyWithMarkup<ComponentProps<Chrome[N]>>(() =>
    import('./site-chrome.lazy.tsx').then((module) => ({
      default: module[name] as ComponentType<ComponentProps<Chrome[N]>>,
    })),
  );

/**
 * The parts around a page are mostly links, and on phones mostly hidden: the server renders them completely, and their script
 * comes after the page's own.
 */
export const { TopStrip, Header, Footer, FloatingMenu } = import.meta.env.SSR
  ? await import('./site-chrome.lazy.tsx')
  : { TopStrip: late('TopStrip'), Header: late('Header'), Footer: late('Footer'), FloatingMenu: late('FloatingMenu') };
