import { Info } from 'lucide-react';
import type { ImportFile } from './file.ts';

/** Notes for the seller on how the file was read: the sheet, the row of the heading, hidden rows. */
export function ReadingNotes({ file }: { file: ImportFile }) {
  if (file.readingNotes.length === 0) return null;
  return (
    <div className="flex gap-2 border-b border-line-soft px-4 py-3 text-13 text-ink-2" data-reading-notes>
      <Info className="icon mt-0.5 size-4 shrink-0 text-ink-3" aria-hidden="true" />
      <ul className="grid min-w-0 gap-1" aria-label="读取说明">
        {file.readingNotes.map((note) => (
          <li key={note} className="break-words">
            {note}
          </li>
        ))}
      </ul>
    </div>
  );
}
