/** Every number that staff may set: its lowest and highest values are accepted, the next ones beyond are rejected. */
import { expect, test } from 'vitest';
import { readField, typedValue } from './setting-fields.ts';
import { settingSpecs } from './settings.ts';

const fields = settingSpecs.flatMap(({ key, fields: all }) =>
  all.flatMap((field) => {
    const { path, min = 0, max } = field;
    // Lists, texts and choices have limits of other kinds.
    const isNumber = typedValue(field, 0) !== '' && field.type !== 'flag' && !field.type.endsWith('List');
    return isNumber && max !== undefined ? [[`${key}.${path}`, field, min, max] as const] : [];
  }),
);

/** The smallest step that can be typed into a field, in the stored unit. */
const STEPS: Readonly<Record<string, number>> = { minutes: 60, secondHours: 3600, stars: 0.1 };

test('the registry has numbers with bounds', () => {
  expect(fields.length).toBeGreaterThan(100);
});

test.each(fields)('%s', (_name, field, min, max) => {
  const step = STEPS[field.type] ?? 1;
  const taken = (value: number): boolean => {
    const read = readField(field, typedValue(field, value));
    return 'value' in read && read.value === value;
  };
  expect([min, min + step, max - step, max].map((value) => [value, taken(value)])).toEqual(
    [min, min + step, max - step, max].map((value) => [value, true]),
  );
  expect([max + step, taken(max + step)]).toEqual([max + step, false]);
  if (min > 0) expect([min - step, taken(min - step)]).toEqual([min - step, false]);
});
