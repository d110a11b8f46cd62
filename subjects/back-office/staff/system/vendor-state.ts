interface Called {
  state: 'on' | 'stand-in' | 'off';
  circuit: 'closed' | 'open' | 'probing';
  calls: number;
  failures: number;
  rejected: number;
  lastSuccess: string | null;
}

/** The state of a vendor as a short text with its colour: normal only after a successful call. */
export function vendorState({
  state,
  circuit,
  calls,
  failures,
  rejected,
  lastSuccess,
}: Called): readonly [text: string, colour: string] {
  if (state === 'off') return ['已关闭', 'text-ink-3'];
  if (circuit === 'open') return ['熔断中', 'text-danger'];
  if (circuit === 'probing') return ['试探恢复', 'text-attn'];
  if (calls > 0 && failures + rejected >= calls) return ['异常', 'text-danger'];
  if (state === 'stand-in') return ['演示替身', 'text-attn'];
  return lastSuccess === null ? ['还没有调用', 'text-ink-3'] : ['正常', 'text-safe'];
}
