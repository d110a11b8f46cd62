import {
  createTheme,
  type CSSVariablesResolver,
  type MantineColorSchemeManager,
  type MantineColorsTuple,
  MantineProvider,
} from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import type { ReactNode } from 'react';
import { useNonce } from '#web/lib/nonce.ts';
import { currentTheme, THEME_EVENT } from '#web/lib/theme.ts';

const brand: MantineColorsTuple = [
  'var(--brand-25)',
  'var(--brand-50)',
  'var(--brand-100)',
  'var(--brand-200)',
  'var(--brand-300)',
  'var(--brand-500)',
  'var(--brand-600)',
  'var(--act)',
  'var(--act-hover)',
  'var(--brand-900)',
];

/** Mantine with our tokens: the same brand scale, type, radii and density as the storefront. */
const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: 7,
  colors: { brand },
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  headings: { fontFamily: 'var(--sans)', fontWeight: '600' },
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.5', sm: '1.5', md: '1.5', lg: '1.4', xl: '1.3' },
  radius: { xs: '3px', sm: '6px', md: '6px', lg: '10px', xl: '14px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Pagination: { defaultProps: { getControlProps: (control: string) => ({ 'aria-label': PAGE_CONTROLS[control] }) } },
    Modal: { defaultProps: { centered: true, closeButtonProps: { 'aria-label': '关闭' } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': '关闭' } } },
  },
});

const PAGE_CONTROLS: Readonly<Record<string, string>> = {
  first: '第一页',
  previous: '上一页',
  next: '下一页',
  last: '最后一页',
};

const shared = {
  '--mantine-color-body': 'var(--panel)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-bright': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-3)',
  '--mantine-color-placeholder': 'var(--ink-3)',
  '--mantine-color-anchor': 'var(--link)',
  '--mantine-color-error': 'var(--danger)',
  '--mantine-color-default': 'var(--panel)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-disabled': 'var(--sunken)',
  '--mantine-color-disabled-color': 'var(--ink-3)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-color-brand-text': 'var(--brand-700)',
  '--mantine-color-brand-filled': 'var(--act)',
  '--mantine-color-brand-filled-hover': 'var(--act-hover)',
  '--mantine-color-brand-light': 'var(--brand-50)',
  '--mantine-color-brand-light-hover': 'var(--brand-100)',
  '--mantine-color-brand-light-color': 'var(--brand-700)',
  '--mantine-color-brand-outline': 'var(--brand-600)',
  '--mantine-color-brand-outline-hover': 'var(--brand-25)',
};

/** Both schemes use the same tokens, which change by themselves. */
const resolver: CSSVariablesResolver = () => ({ variables: {}, light: shared, dark: shared });

/** The scheme is the visitor's cookie; Mantine stores none of its own. */
const schemes: MantineColorSchemeManager = {
  get: () => (typeof document === 'undefined' ? 'auto' : (currentTheme() ?? 'auto')),
  set: () => {},
  subscribe(onUpdate) {
    listener = () => onUpdate(currentTheme() ?? 'auto');
    window.addEventListener(THEME_EVENT, listener);
  },
  unsubscribe() {
    if (listener) window.removeEventListener(THEME_EVENT, listener);
  },
  clear: () => {},
};
let listener: (() => void) | undefined;

/** Used once in each of the three layouts whose pages use Mantine: centre, chat, back office. */
export function MantineShell({ children }: { children: ReactNode }) {
  const nonce = useNonce();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolver}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce ?? ''}
      deduplicateInlineStyles
    >
      <ModalsProvider labels={{ confirm: '确定', cancel: '取消' }}>{children}</ModalsProvider>
    </MantineProvider>
  );
}
