import { expect, test } from 'vitest';
import { type GroupInfo, type GroupView, newGroup, withOnline, withoutMe, withPending, withRead } from './group.ts';

/** A group of three members: their id, whether they are online, and how far they have read. */
const group = (...members: [imUid: string, online: boolean, readSeq: number][]): GroupView => ({
  ...newGroup('1'),
  info: { groupId: '1', members: members.map(([imUid, online, readSeq]) => ({ imUid, online, readSeq })) } as GroupInfo,
});
const membersOf = ({ info }: GroupView) => info?.members.map(({ imUid, online, readSeq }) => [imUid, online, readSeq]);

test('a new group is empty and not loaded', () => {
  expect(newGroup('1')).toEqual({
    groupId: '1',
    log: { list: [], hasOlder: false },
    pending: [],
    info: null,
    loading: null,
    error: null,
    typing: new Map(),
    notice: null,
    left: false,
  });
});

test('a read position moves forward only, and only the reader’s', () => {
  const before = group(['7', true, 3], ['8', true, 3]);
  expect(membersOf(withRead(before, '7', 4))).toEqual([
    ['7', true, 4],
    ['8', true, 3],
  ]);
  expect(withRead(before, '7', 3).info?.members[0]).toBe(before.info?.members[0]);
  expect(membersOf(withRead(before, '7', 2))).toEqual(membersOf(before));
  expect(membersOf(before)?.[0]).toEqual(['7', true, 3]);
  expect(withRead(newGroup('1'), '7', 4)).toEqual(newGroup('1'));
});

test('a sender becomes online; without a change the group is the same', () => {
  const before = group(['7', false, 0], ['8', false, 0], ['9', true, 0]);
  expect(membersOf(withOnline(before, ['7', '9']))).toEqual([
    ['7', true, 0],
    ['8', false, 0],
    ['9', true, 0],
  ]);
  for (const nobody of [['9'], [], ['1']]) expect(withOnline(before, nobody)).toBe(before);
  const unknown = newGroup('1');
  expect(withOnline(unknown, ['7'])).toBe(unknown);
});

test('a member who leaves is removed from the group', () => {
  const after = withoutMe(group(['7', true, 0], ['8', true, 0]), '8');
  expect([after.left, membersOf(after)]).toEqual([true, [['7', true, 0]]]);
  expect(withoutMe(newGroup('1'), '8')).toEqual({ ...newGroup('1'), left: true });
});

test('a change concerns one queued message', () => {
  const queued = (clientMsgId: string) =>
    ({ clientMsgId, text: clientMsgId, image: null, at: 0, state: 'sending', reason: null }) as const;
  const before = { ...newGroup('1'), pending: [queued('a'), queued('b')] };
  expect(withPending(before, 'b', { state: 'failed', reason: '太快' }).pending).toEqual([
    queued('a'),
    { ...queued('b'), state: 'failed', reason: '太快' },
  ]);
});
