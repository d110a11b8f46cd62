/** Shown under a button that only another member of staff may use: explains that the caller has already acted. */
export function OtherPerson({ isMine, label }: { isMine: boolean; label: string }) {
  if (!isMine) return null;
  return <span className="mt-0.5 block text-12 whitespace-nowrap text-ink-3">{label}，待同事复核</span>;
}
