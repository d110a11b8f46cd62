import type { Field } from '#subjects/games/contract/games.ts';
import { type Attrs, checkAttrs } from '#subjects/games/rules/attrs.ts';
import { requireValid } from '#server/kernel/errors.ts';
import type { Catalogue } from '#subjects/games/server/service.ts';

const ACCOUNT = 1;

/** The fields of a game's accounts that can be valued: those on offer, without free text. */
export function accountFields(all: Catalogue, gameId: number): readonly Field[] {
  return all.openFieldsOf(gameId, ACCOUNT).filter(({ kind }) => kind !== 'text');
}

/** Checks the entered fields of an account; every field may be omitted. Throws BAD_INPUT that names the field as `details.<key>`. */
export function checkedDetails(fields: readonly Field[], details: Readonly<Record<string, unknown>>): Attrs {
  const known = new Set(fields.map((f) => f.key));
  const own = Object.fromEntries(Object.entries(details).filter(([key]) => known.has(key)));
  const { values, errors } = checkAttrs(
    fields.map((field) => ({ ...field, required: false })),
    own,
  );
  requireValid([...errors].map(([key, msg]) => ({ field: `details.${key}`, msg })));
  return values;
}
