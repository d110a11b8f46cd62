import { expect, test } from 'vitest';
import { claimReasons } from '#subjects/guarantees/rules/guarantee.ts';
import { isTierKey, newTier, tierCode, tierKey, tierSpec, wholeTier } from './setting-tiers.ts';

test('a key names a tier by a code of 2 to 20 small letters and lines', () => {
  const named = ['ab', 'a_b', 'a'.repeat(20)].map(tierKey);
  expect(named.map(isTierKey)).toEqual([true, true, true]);
  const others = ['a', 'a'.repeat(21), 'A1', 'a b', ''].map(tierKey);
  expect([...others, 'xtier:ab', 'tier:ab:x', 'fees'].filter(isTierKey)).toEqual([]);
  expect(tierCode('tier:recovery')).toBe('recovery');
});

test('the form of a tier takes two persons and has the same fields for each reason', () => {
  const { key, twoPersons, rules, fields } = tierSpec('tier:ab');
  expect([key, twoPersons, rules]).toEqual(['tier:ab', true, ['5.4', '5.5']]);
  for (const [reason, { name }] of Object.entries(claimReasons)) {
    const own = fields.filter(({ path }) => path.startsWith(`reasons.${reason}.`));
    expect(own.map((field) => [field.path.split('.').slice(2).join('.'), field.row, field.optional])).toEqual(
      ['most', 'byItself', 'fall.afterDays', 'fall.everyDays', 'fall.stepBp', 'fall.floorBp'].map((path) => [
        path,
        name,
        true,
      ]),
    );
  }
  const bounds = Object.fromEntries(
    fields.flatMap((field) => ('max' in field ? [[field.path, [field.min, field.max]]] : [])),
  );
  expect(bounds).toMatchObject({
    bp: [undefined, 5000],
    minFen: [undefined, 100_000],
    payoutBp: [1, 30_000],
    chaseDays: [1, 60],
    coverDays: [1, 3650],
    'reasons.recovered.fall.stepBp': [1, 10_000],
    'reasons.recovered.fall.floorBp': [undefined, 10_000],
  });
  expect(fields.filter(({ optional }) => optional).map(({ path }) => path)).toEqual(
    expect.arrayContaining(['coverDays', 'games']),
  );
  expect(fields.find(({ path }) => path === 'kind')?.options).toEqual([
    ['fixEnsure', '找回包赔'],
    ['ensure', '综合包赔'],
  ]);
  expect(newTier).toMatchObject({ onOffer: true, payoutBp: 10_000, exclusions: [] });
});

test('a typed tier keeps the reasons that it covers, and of a cover what falls', () => {
  const value: Record<string, unknown> = {
    reasons: {
      recovered: { most: 'price', byItself: true, fall: { afterDays: undefined, stepBp: undefined } },
      banned: { most: 'receipts', fall: { afterDays: 30, stepBp: undefined } },
      other: { most: '', byItself: true },
      none: {},
    },
  };
  wholeTier(value);
  expect(value.reasons).toEqual({
    recovered: { most: 'price', byItself: true },
    banned: { most: 'receipts', byItself: false, fall: { afterDays: 30, stepBp: undefined } },
  });
  const empty: Record<string, unknown> = {};
  wholeTier(empty);
  expect(empty).toEqual({ reasons: {} });
});
