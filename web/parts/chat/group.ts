import type { Data } from '#contract/endpoint.ts';
import type { groupInfo } from '#contract/im.ts';
import { emptyLog, type Log } from './log.ts';

export type GroupInfo = Data<typeof groupInfo>;

/** A message of this screen's user that the server has not acknowledged. */
export interface Pending {
  readonly clientMsgId: string;
  readonly text: string;
  readonly image: PendingImage | null;
  readonly at: number;
  readonly state: 'sending' | 'failed';
  /** Why it failed, in words. */
  readonly reason: string | null;
}

export interface PendingImage {
  readonly file: File;
  /** What is shown until the picture is on the server. */
  readonly preview: string;
  /** Set once it is uploaded; a retry does not upload again. */
  readonly key: string | null;
}

/** What the screen knows of one group. A new object with every change. */
export interface GroupView {
  readonly groupId: string;
  readonly log: Log;
  readonly pending: readonly Pending[];
  readonly info: GroupInfo | null;
  readonly loading: 'first' | 'older' | null;
  readonly error: string | null;
  /** Who types, with the time (ms) at which that counts as over. */
  readonly typing: ReadonlyMap<string, number>;
  /** What the last reminder came to, in words; null for none. */
  readonly notice: string | null;
  /** This person is no longer in it: nothing more is asked for. */
  readonly left: boolean;
}

/** A group of which nothing is known yet. */
export function newGroup(groupId: string): GroupView {
  return {
    groupId,
    log: emptyLog,
    pending: [],
    info: null,
    loading: null,
    error: null,
    typing: new Map(),
    notice: null,
    left: false,
  };
}

/** The same group with one member's reading mark moved forward. */
export function withRead(group: GroupView, imUid: string, seq: number): GroupView {
  if (!group.info) return group;
  const members = group.info.members.map((m) => (m.imUid === imUid && m.readSeq < seq ? { ...m, readSeq: seq } : m));
  return { ...group, info: { ...group.info, members } };
}

/** The same group with members seen who were thought to be away: whoever says something is there. */
export function withOnline(group: GroupView, imUids: readonly string[]): GroupView {
  if (!group.info?.members.some((m) => !m.online && imUids.includes(m.imUid))) return group;
  const members = group.info.members.map((m) => (imUids.includes(m.imUid) ? { ...m, online: true } : m));
  return { ...group, info: { ...group.info, members } };
}

/** The same group for one who has left it. */
export function withoutMe(group: GroupView, imUid: string): GroupView {
  const members = group.info?.members.filter((m) => m.imUid !== imUid) ?? [];
  return { ...group, left: true, info: group.info && { ...group.info, members } };
}

/** The same group with a change to one of its waiting messages. */
export function withPending(group: GroupView, clientMsgId: string, change: Partial<Pending>): GroupView {
  return {
    ...group,
    pending: group.pending.map((p) => (p.clientMsgId === clientMsgId ? { ...p, ...change } : p)),
  };
}
