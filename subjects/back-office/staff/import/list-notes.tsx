import type { ImportJob } from '#subjects/back-office/contract/import.ts';

/** How the file of an import was read: the sheet, and the skipped rows. */
export function ListNotes({ job }: { job: ImportJob }) {
  if (job.notes.length === 0) return null;
  return (
    <ul className="grid gap-1 text-13 text-ink-2" aria-label="读取说明">
      {job.notes.map((note) => (
        <li key={note} className="break-words">
          {note}
        </li>
      ))}
    </ul>
  );
}
