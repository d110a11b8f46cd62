import { hydratedLater } from '#web/lib/loading/hydrated-later.tsx';

const chrome = () => import('./site-chrome.lazy.tsx');

/**
 * The parts around a page are mostly links, and on phones mostly hidden: the server renders them completely, and their script
 * comes after the page's own.
 */
export const TopStrip = hydratedLater(chrome, 'TopStrip');
export const Header = hydratedLater(chrome, 'Header');
export const Footer = hydratedLater(chrome, 'Footer');
export const FloatingMenu = hydratedLater(chrome, 'FloatingMenu');
