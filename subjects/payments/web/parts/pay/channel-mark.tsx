import type { ReactNode } from 'react';
import { PAY_CHANNELS, type payerChannels } from '../../../rules/pay-channels.ts';

interface Mark {
  hue: number;
  drawing: ReactNode;
}

/** Tone and icon of each channel: our own neutral icons, a purse and a bubble, with no trademark elements. */
const MARKS: Readonly<Record<number, Mark>> = {
  [PAY_CHANNELS.alipay.aliOrWx]: {
    hue: 255,
    drawing: (
      <path d="M5 8.5A2.5 2.5 0 0 1 7.5 6H17v3M5 8.5A2.5 2.5 0 0 0 7.5 11H19a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2H8a3 3 0 0 1-3-3ZM17 15.5h.01" />
    ),
  },
  [PAY_CHANNELS.wechat.aliOrWx]: {
    hue: 155,
    drawing: (
      <path d="M6 5h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-6l-4 3.5V17H6a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2ZM9 11h.01M13 11h.01M17 11h.01" />
    ),
  },
} satisfies Partial<Record<(typeof payerChannels)[number]['aliOrWx'], Mark>>;

/** A channel's icon; its first letter when it has none. */
export function ChannelMark({ channel, name }: { channel: number; name: string }) {
  const mark = MARKS[channel];
  return (
    <span
      className="grid size-7 flex-none place-items-center rounded-control bg-sunken text-12 font-semibold text-ink-2"
      style={mark && { background: `oklch(0.5 0.11 ${mark.hue})`, color: '#fff' }}
      aria-hidden="true"
    >
      {mark ? (
        <svg
          viewBox="0 0 26 24"
          className="size-5"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.9"
          strokeLinecap="round"
          strokeLinejoin="round"
        >
          {mark.drawing}
        </svg>
      ) : (
        name.slice(0, 1)
      )}
    </span>
  );
}
