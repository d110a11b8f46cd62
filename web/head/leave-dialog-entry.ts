/**
 * Goes back from the history entry added by a dialog (web/ui/overlays/modal-history.ts) if a page begins at it: after a reload, or when going
 * back from another site. It is a copy of the entry below; otherwise the first Back would have no effect.
 */
export function leaveDialogEntry(): void {
  const state = history.state as { isOver?: boolean } | null;
  if (state?.isOver) history.back();
}
