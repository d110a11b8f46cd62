import type { ReactNode } from 'react';
import { PAY_CHANNELS } from '#contract/rules/pay-channels.ts';

/** Colour and drawing of each channel's mark: our own, recognised by the colour, not the trademarks. */
const MARKS: Readonly<Record<number, { colour: string; drawing: ReactNode }>> = {
  [PAY_CHANNELS.alipay.aliOrWx]: {
    colour: '#1677ff',
    drawing: <path d="M5.5 8.2h13M12 4.8v7.4M7.6 12.2h8.6c-1.3 3.6-4.6 6.3-9.4 7M8.4 14.2c2.4 2.9 5.6 4.3 9.8 4.8" />,
  },
  [PAY_CHANNELS.wechat.aliOrWx]: {
    colour: '#07a550',
    drawing: (
      <path d="M10.4 5C6.9 5 4 7.3 4 10.2c0 1.7 1 3.2 2.5 4.1L6 16.4l2.5-1.2m4.3-.2c0-2.3 2.2-4.2 4.6-4.2S22 12.7 22 15c0 1.3-.7 2.5-1.8 3.3l.4 1.7-2-1c-3.3.7-5.8-1.4-5.800-4Z" />
    ),
  },
};

/** A channel's mark; its first letter where none is drawn. */
export function ChannelMark({ channel, name }: { channel: number; name: string }) {
  const mark = MARKS[channel];
  return (
    <span
      className="grid size-7 flex-none place-items-center rounded-control bg-sunken text-12 font-semibold text-ink-2"
      style={mark && { background: mark.colour, color: '#fff' }}
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
