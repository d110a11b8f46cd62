import type { ReactNode } from 'react';
import { ScrollX } from '#web/ui/lists/scroll-x.tsx';

/** A column heading; headings of numbers are right-aligned. */
type Column = string | { num: string };

/** A table on wide screens and cards on phones; the rows are the children. */
export function AdminTable({ columns, children }: { columns: readonly Column[]; children: ReactNode }) {
  return (
    <ScrollX>
      <table className="admin-table admin-cards">
        <thead>
          <tr>
            {columns.map((column) => {
              const isNum = typeof column !== 'string';
              const name = isNum ? column.num : column;
              return (
                <th key={name} scope="col" className={isNum ? 'num' : undefined}>
                  {name}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </ScrollX>
  );
}
