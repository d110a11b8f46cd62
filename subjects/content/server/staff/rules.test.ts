/** The versions of public rules and agreements in the back office, and the publications that are rejected. */
import { describe, expect, test } from 'vitest';
import {
  blocksFrom,
  currentOf,
  entryOf,
  partsOf,
  type Publication,
  requireBeginning,
  requireChange,
  requireText,
  statesOf,
  targetOf,
  type Version,
} from './rules.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 20, 4);

/** A version in force `days` after now. */
const version = (no: number, days: number, more: Partial<Version> = {}): Version => ({
  version: no,
  title: '标题',
  body: '正文',
  fromTime: new Date(NOW + days * DAY),
  createdBy: null,
  reason: '',
  retired: false,
  needsConsent: false,
  revokedAt: null,
  revokedBy: null,
  uses: no * 10,
  ...more,
});

const revoked = (no: number, days: number): Version => version(no, days, { revokedAt: new Date(NOW) });
const rejected = (text: string, field: string) => expect.objectContaining({ error: 'BAD_INPUT', text, field });

test('a key has a kind and a code', () => {
  expect(partsOf('rule:7.1')).toEqual({ isRule: true, code: '7.1' });
  expect(partsOf('legal:privacy')).toEqual({ isRule: false, code: 'privacy' });
  expect(partsOf('rule')).toEqual({ isRule: true, code: '' });
  expect([targetOf('rule:7.1'), targetOf('legal:privacy')]).toEqual(['rules:7.1', 'legal:privacy']);
});

describe('the version in force', () => {
  test.each<[string, Version[], number | undefined]>([
    ['none', [], undefined],
    ['the newest that has begun', [version(1, -9), version(2, -1), version(3, 1)], 2],
    ['from its first moment on', [version(1, -9), version(2, 0)], 2],
    ['no planned one', [version(1, 1)], undefined],
    ['no withdrawn one', [version(1, -9), revoked(2, -1)], 1],
  ])('%s', (_case, versions, expected) => {
    expect(currentOf(versions, NOW)?.version).toBe(expected);
  });

  test('each version has a state', () => {
    const versions = [version(1, -9), version(2, -5), revoked(3, -2), revoked(4, 1), version(5, 2)];
    expect(statesOf(versions, NOW)).toEqual(['past', 'counts', 'revoked', 'revoked', 'planned']);
    expect(statesOf([version(1, -1), version(2, 0)], NOW)).toEqual(['past', 'counts']);
    expect(statesOf([version(1, 0), version(2, 0)], NOW)).toEqual(['past', 'counts']);
    expect(statesOf([], NOW)).toEqual([]);
  });
});

describe('the entry of a text', () => {
  test('shows its version in force and the one that comes', () => {
    const [past, current, planned, withdrawn] = [version(1, -9), version(2, 0), version(3, 2), revoked(4, 3)];
    expect(entryOf('rule:7.1', '等级', [past, current, planned, withdrawn], undefined, NOW)).toEqual({
      key: 'rule:7.1',
      code: '7.1',
      name: '等级',
      version: 4,
      current,
      planned,
      draft: null,
      uses: 20,
    });
  });

  test('has no planned version when the newest is in force from now on', () => {
    expect(entryOf('rule:7.1', '等级', [version(1, 0)], undefined, NOW).planned).toBeNull();
  });

  test('shows a draft without any version', () => {
    const draft = { key: 'rule:9', version: 6, title: '新', body: '文', author: '小李', at: new Date(NOW) };
    expect(entryOf('rule:9', '新', [], draft, NOW)).toEqual({
      key: 'rule:9',
      code: '9',
      name: '新',
      version: 0,
      current: null,
      planned: null,
      draft: { draftVersion: 6, title: '新', body: '文', author: '小李', saveTime: new Date(NOW) },
      uses: 0,
    });
  });
});

describe('a text', () => {
  test('has at most 600 characters in a rule, where markup is not read', () => {
    expect(() => requireText({ key: 'rule:1', body: '字'.repeat(600) })).not.toThrow();
    expect(() => requireText({ key: 'rule:1', body: '![图](chat-p)' })).not.toThrow();
    expect(() => requireText({ key: 'rule:1', body: '字'.repeat(601) })).toThrow(
      rejected('一条规则最多 600 个字，现在 601 个', 'body'),
    );
  });

  test('may be longer in an agreement, and consists of valid blocks', () => {
    expect(() => requireText({ key: 'legal:privacy', body: '字'.repeat(601) })).not.toThrow();
    expect(() => requireText({ key: 'legal:privacy', body: '![图](chat-p)' })).toThrow(
      rejected('第 1 行的图片来自聊天或凭证，不能公开，请重新上传', 'body'),
    );
    expect(blocksFrom('# 总则')).toEqual([{ t: 'h', text: '总则' }]);
  });

  test.each(['legal:other', 'legal:toString', 'other:7.1'])('does not exist for %s', (key) => {
    expect(() => requireText({ key, body: '字' })).toThrow(expect.objectContaining({ error: 'NOT_FOUND' }));
  });
});

describe('the beginning', () => {
  const TOO_EARLY = rejected('生效时间须晚于现在；留空则立即生效', 'from');
  test('is now, or later by at most 180 days', () => {
    for (const from of [null, new Date(NOW + 1), new Date(NOW + 180 * DAY)])
      expect(() => requireBeginning(from, NOW)).not.toThrow();
    for (const ms of [0, -1]) expect(() => requireBeginning(new Date(NOW + ms), NOW)).toThrow(TOO_EARLY);
    expect(() => requireBeginning(new Date(NOW + 180 * DAY + 1), NOW)).toThrow(rejected('生效时间最远 180 天', 'from'));
  });
});

describe('a publication', () => {
  const SAME = rejected('与生效中的版本相同，没有需要发布的修改', 'body');
  const NOT_IN_FORCE = rejected('只有生效中的规则可以停用', 'retired');
  const OF_PROGRAM = rejected('系统按这条规则处理款项或等级，不能停用，只能修改文字', 'retired');
  const check = (versions: readonly Version[], input: Partial<Publication>) => () =>
    requireChange(
      versions,
      { key: 'rule:9.9', title: '标题', body: '正文', retired: false, needsConsent: false, ...input } as Publication,
      NOW,
    );
  const inForce = [version(1, -1)];
  const retired = [version(1, -1, { retired: true })];

  test.each<[string, readonly Version[], Partial<Publication>]>([
    ['the first version', [], {}],
    ['the same text as a planned version', [version(1, 1)], {}],
    ['another title', inForce, { title: '新标题' }],
    ['another text', inForce, { body: '新正文' }],
    ['the end of a rule', inForce, { retired: true }],
    ['a retired rule again', retired, {}],
    ['the same agreement, to ask for consent again', inForce, { key: 'legal:privacy', needsConsent: true }],
  ])('may be %s', (_case, versions, input) => {
    expect(check(versions, input)).not.toThrow();
  });

  test.each<[string, readonly Version[], Partial<Publication>, unknown]>([
    ['without a change', inForce, {}, SAME],
    ['of the end of an agreement', inForce, { key: 'legal:privacy', retired: true }, NOT_IN_FORCE],
    ['of the end of a rule that is not in force', [version(1, 1)], { retired: true }, NOT_IN_FORCE],
    ['of the end of a retired rule', retired, { retired: true }, NOT_IN_FORCE],
    ['of the end of a rule that the program applies', inForce, { key: 'rule:7.1', retired: true }, OF_PROGRAM],
  ])('is rejected %s', (_case, versions, input, error) => {
    expect(check(versions, input)).toThrow(error as Error);
  });
});
