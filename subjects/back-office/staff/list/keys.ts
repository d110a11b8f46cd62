import type { KeyHints } from '#web/layouts/shell/shortcuts.tsx';

/** The keys of every list, as the hints show them. */
export const LIST_KEYS: KeyHints = [
  ['J K', '下一行、上一行'],
  ['↵', '打开这一行；旁栏开着时进整页'],
  ['X', '选中这一行'],
  ['Shift X', '选中到这一行为止'],
  ['E', '进会话'],
  ['/', '搜索'],
  ['F', '加筛选'],
];
