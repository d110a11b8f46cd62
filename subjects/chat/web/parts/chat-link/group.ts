import type { Data } from '#contract/endpoint.ts';
import type { groupInfo } from '#subjects/chat/contract/im.ts';
import { emptyLog, type Log } from './log.ts';

export type GroupInfo = Data<typeof groupInfo>;

/** A message of this user that the server has not acknowledged. */
export interface Pending {
  readonly clientMsgId: string;
  readonly text: string;
  readonly image: PendingImage | null;
  readonly at: number;
  readonly state: 'sending' | 'failed';
  /** Why it failed, as text. */
  readonly reason: string | null;
}

export interface PendingImage {
  readonly file: File;
  /** Displayed until the picture is uploaded. */
  readonly preview: string;
  /** Set once it is uploaded; a retry does not upload again. */
  readonly key: string | null;
}

/** The client's state of one group. Every change creates a new object. */
export interface GroupView {
  readonly groupId: string;
  readonly log: Log;
  readonly pending: readonly Pending[];
  readonly info: GroupInfo | null;
  readonly loading: 'first' | 'older' | null;
  readonly error: string | null;
  /** Members who are typing, with the time (ms) at which that expires. */
  readonly typing: ReadonlyMap<string, number>;
  /** The result of the last reminder, as text; null for none. */
  readonly notice: string | null;
  /** This user has left the group: nothing more is requested. */
  readonly left: boolean;
}

/** A group that is not loaded yet. */
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

/** The same group with one member's read position moved forward. */
export function withRead(group: GroupView, imUid: string, seq: number): GroupView {
  if (!group.info) return group;
  const members = group.info.members.map((m) => (m.imUid === imUid && m.readSeq < seq ? { ...m, readSeq: seq } : m));
  return { ...group, info: { ...group.info, members } };
}

/** The same group with members marked as online: sending a message proves presence. */
export function withOnline(group: GroupView, imUids: readonly string[]): GroupView {
  if (!group.info?.members.some((m) => !m.online && imUids.includes(m.imUid))) return group;
  const members = group.info.members.map((m) => (imUids.includes(m.imUid) ? { ...m, online: true } : m));
  return { ...group, info: { ...group.info, members } };
}

/** The same group after this user has left it. */
export function withoutMe(group: GroupView, imUid: string): GroupView {
  const members = group.info?.members.filter((m) => m.imUid !== imUid) ?? [];
  return { ...group, left: true, info: group.info && { ...group.info, members } };
}

/** The same group with a change to one of its queued messages. */
export function withPending(group: GroupView, clientMsgId: string, change: Partial<Pending>): GroupView {
  return {
    ...group,
    pending: group.pending.map((p) => (p.clientMsgId === clientMsgId ? { ...p, ...change } : p)),
  };
}
