import { expect, test } from 'vitest';
import { withoutCredentials } from './credential-columns.ts';

test('columns of passwords are dropped, columns about a password change are kept', () => {
  const rows = [
    { line: 1, cells: ['a1', 'hunter2', '是', '问题一'] },
    { line: 2, cells: ['a2', '', '', ''] },
  ];
  expect(withoutCredentials({ columns: ['账号', '密码', '已修改密码', '密保'], rows, notes: [] })).toEqual({
    columns: ['账号', '密码（未保存）', '已修改密码', '密保（未保存）'],
    rows: [
      { line: 1, cells: ['a1', '', '是', ''] },
      { line: 2, cells: ['a2', '', '', ''] },
    ],
    notes: [],
  });
});
