import type { StaffGame } from '#subjects/games/contract/staff-games.ts';
import { Tag } from '#web/ui/tag.tsx';

const STATES = { open: ['前台可见', 'safe'], hidden: ['已隐藏', undefined], new: ['未发布', 'attn'] } as const;

/** Tag showing whether a game is visible on the sites. */
export function StateTag({ state }: { state: StaffGame['state'] }) {
  const [text, tone] = STATES[state];
  return <Tag {...(tone && { tone })}>{text}</Tag>;
}
