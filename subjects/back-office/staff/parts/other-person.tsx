/** Shown under a button that only another member of staff may use: explains that the caller has already acted. */
export function OtherPerson({ isMine, acted }: { isMine: boolean; acted: string }) {
  if (!isMine) return null;
  return <span className="mt-0.5 block text-12 whitespace-nowrap text-ink-3">{acted}，待同事复核</span>;
}
