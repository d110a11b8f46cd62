/**
 * Calls `read` every `everyMs` while the page is visible and there is a network, and when it becomes visible. It skips offline periods
 * because a failed reload would show the error page in place of the content. Returns the function that ends it.
 */
export function whileVisible(read: () => void, everyMs: number): () => void {
  const onTime = () => {
    if (document.visibilityState === 'visible' && navigator.onLine) read();
  };
  const timer = setInterval(onTime, everyMs);
  document.addEventListener('visibilitychange', onTime);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onTime);
  };
}
