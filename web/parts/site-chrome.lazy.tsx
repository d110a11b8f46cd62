import type { ComponentProps } from 'react';
import { framed } from '#web/lib/lazy-part.tsx';
import { FloatingMenu as Floats } from './floating-menu.lazy.tsx';
import { Footer as Foot } from './footer.lazy.tsx';
import { Header as Head } from './header.lazy.tsx';
import { InWechat } from './in-wechat.lazy.tsx';
import { TopStrip as Strip } from './top-bar.lazy.tsx';

export const TopStrip = framed(Strip);
export const Header = framed(Head);
export const Footer = framed(Foot);
export const FloatingMenu = framed((props: ComponentProps<typeof Floats>) => (
  <>
    <Floats {...props} />
    <InWechat />
  </>
));
