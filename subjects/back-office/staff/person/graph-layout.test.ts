import { expect, test } from 'vitest';
import { GRAPH, layoutOf } from './graph-layout.ts';

const person = (userId: string) => ({
  userId,
  nickName: userId,
  avatar: '',
  status: 1,
  role: '买家',
  createTime: '2026-11-01T00:00:00+08:00',
  sold: { orders: 0, amount: '0.00' },
  bought: { orders: 0, amount: '0.00' },
});
const reason = (key: string, users: string[]) => ({
  key,
  kind: 'browser' as const,
  kindName: '共用浏览器',
  label: key,
  strength: 'strong' as const,
  evidence: '',
  users,
  mark: [],
});

test('eleven users and as many reasons fit into the picture without overlaps', () => {
  const ids = Array.from({ length: 11 }, (_, i) => String(i + 1));
  const layout = layoutOf({ people: ids.map(person), reasons: ids.map((id) => reason(`r${id}`, [id])) });
  const all = [...layout.people.values(), ...layout.boxes.values()];
  expect(all).toHaveLength(22);
  for (const { x, y } of all) {
    expect(x).toBeGreaterThan(0);
    expect(x).toBeLessThan(GRAPH.width);
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(GRAPH.height);
  }
  const boxes = [...layout.boxes.values()];
  const overlaps = boxes.flatMap((a, i) =>
    boxes.slice(i + 1).filter((b) => Math.abs(a.x - b.x) < 130 && Math.abs(a.y - b.y) < 24),
  );
  expect(overlaps).toEqual([]);
});

test('several reasons for the same two users do not overlap', () => {
  const layout = layoutOf({
    people: [person('1')],
    reasons: [reason('a', ['1']), reason('b', ['1']), reason('c', ['1'])],
  });
  const heights = [...layout.boxes.values()].map(({ y }) => Math.round(y)).sort((a, b) => a - b);
  expect(new Set(heights).size).toBe(3);
});
