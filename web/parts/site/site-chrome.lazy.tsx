import type { ComponentProps } from 'react';
import { keptWhenLost } from '#web/lib/loading/hydrated-later.tsx';
import { FloatingMenu as Floats } from './floating-menu.lazy.tsx';
import { Footer as Foot } from './footer.lazy.tsx';
import { Header as Head } from './header.lazy.tsx';
import { InWechat } from '../wechat/in-wechat.lazy.tsx';
import { TopStrip as Strip } from './top-bar.lazy.tsx';

export const TopStrip = keptWhenLost(Strip);
export const Header = keptWhenLost(Head);
export const Footer = keptWhenLost(Foot);
export const FloatingMenu = keptWhenLost((props: ComponentProps<typeof Floats>) => (
  <>
    <Floats {...props} />
    <InWechat />
  </>
));
