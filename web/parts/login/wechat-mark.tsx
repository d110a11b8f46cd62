/** Two speech bubbles, one over the other: our own sign for WeChat, in one colour. */
export function WechatMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" className={className} fill="currentColor" aria-hidden="true">
      <path d="M9.3 4C5.3 4 2 6.7 2 10.1c0 1.9 1 3.6 2.700 4.700L4 17l2.600-1.300c.9.200 1.700.400 2.700.400h.500a5.500 5.500 0 0 1-.2-1.500c0-3.200 3-5.600 6.600-5.600h.4C16 6 13 4 9.300 4zM6.800 9.200a1 1 0 1 1 0-2 1 1 0 0 1 0 2zm5 0a1 1 0 1 1 0-2 1 1 0 0 1 0 2z" />
      <path d="M22 14.600c0-2.700-2.600-4.900-5.800-4.900s-5.800 2.200-5.800 4.900 2.600 4.900 5.800 4.900c.7 0 1.400-.1 2-.3l2.100 1-.5-1.800c1.300-.9 2.200-2.300 2.200-3.800zm-7.700-.8a.8.8 0 1 1 0-1.600.8.8 0 0 1 0 1.600zm3.800 0a.8.8 0 1 1 0-1.600.8.8 0 0 1 0 1.600z" />
    </svg>
  );
}
