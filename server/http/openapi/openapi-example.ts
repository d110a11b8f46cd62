import type { Json, JsonObject } from './openapi-schema.ts';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Example values by field name, for fields whose schema is only a string or a number. */
const BY_NAME: readonly (readonly [name: RegExp, value: string | number])[] = [
  [/^goodsSn$/, 'SJ0000001'],
  [/^(orderSn|sn)$/, '202511250000001'],
  [/^listSn$/, 'L251125000001'],
  [/Sn$/, 'SJ0000001'],
  [/^(userId|sellerId|buyerId|boosterId|providerId)$/, '10001'],
  [/^gameId$/, 2],
  [/^(goodsTypeId|goodsTypeIds?)$/, 1],
  [/^areaId$/, 2001],
  [/^serverId$/, 201001],
  [/^gameName$/, '王者荣耀'],
  [/^goodsTypeStr$/, '账号'],
  [/^(bigTitle|title)$/, '荣耀王者 全英雄 贵族八级'],
  [/^(phone|mobile|username)$/, '13800000006'],
  [/^(queryValue|qq)$/, '800810001'],
  [/^content$/, '示例内容，请换成您的内容'],
  [/^(nickName|sellerName|userName)$/, '号铺'],
  [/[uU]rl$|^(thumbnail|avatar|thumb|icon)$/, '/art/example.webp'],
  [/^cursor$|^next$/, 'WzEyM10'],
  [/^pages$/, 1],
  [/^pageSize$/, 20],
  [/Date$|^(day|date)$/, '2025-11-25'],
  [/^(payRand|instead)$/, '3R9pa14WRUc_3gjebRyIaOF8'],
  [/^(smsCode|newSmsCode|emailCode|code)$/, '123456'],
  [/^email$/, 'name@example.com'],
  [/^idCard$/, '110101199001010138'],
  [/^(passWord|newPassword|password)$/, 'Youshi-example-1'],
  [/^(text|explain|reason|note|remark)$/, '示例说明，请换成您的内容'],
  [/^contact$/, '微信 youshi-example'],
  [/^path$/, '/wares?gt=1'],
  [/^endpoint$/, 'https://push.example.com/1'],
  [/Time$/, '2025-11-25T19:30'],
  [/^key$/, 'rule:3.2'],
  [/^keyWord$/, '王者荣耀'],
];
const HEX = '0123456789abcdef0123456789abcdef';
const TIME = '2025-11-25T12:00:00+08:00';

function named(name: string, type: 'string' | 'number'): string | number | undefined {
  const found = BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
  if (found === undefined) return undefined;
  if (type === 'number') return Number.isFinite(Number(found)) ? Number(found) : undefined;
  return String(found);
}

function textExample(name: string, schema: JsonObject): string {
  if (schema.format === 'date-time') return TIME;
  const pattern = typeof schema.pattern === 'string' ? new RegExp(schema.pattern) : null;
  const candidates = [
    named(name, 'string'),
    '128.00',
    '1',
    '2025-11-25',
    '12:00',
    'example',
    '13800000006',
    '0',
    HEX,
    HEX.slice(0, 22),
    HEX + HEX.slice(0, 11),
    HEX + HEX + HEX.slice(0, 23),
  ];
  const min = typeof schema.minLength === 'number' ? schema.minLength : 0;
  const max = typeof schema.maxLength === 'number' ? schema.maxLength : Number.POSITIVE_INFINITY;
  const fits = (text: string | number | undefined): text is string =>
    typeof text === 'string' && text.length <= max && text.length >= min && (pattern === null || pattern.test(text));
  if (pattern === null && !fits(candidates[0])) return '示例文字'.repeat(Math.max(1, Math.ceil(min / 4))).slice(0, max);
  return String(candidates.find(fits) ?? '');
}

function numberExample(name: string, schema: JsonObject): number {
  const low = typeof schema.minimum === 'number' ? schema.minimum : Number.NEGATIVE_INFINITY;
  const high = typeof schema.maximum === 'number' ? schema.maximum : Number.POSITIVE_INFINITY;
  return Math.min(high, Math.max(low, Number(named(name, 'number') ?? 1)));
}

function objectExample(schema: JsonObject, all: boolean): JsonObject {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isObject(schema.properties) ? schema.properties : {};
  const own = Object.entries(properties)
    .filter(([name]) => all || required.includes(name))
    .map(([name, field]) => [name, isObject(field) ? exampleOf(field, { name, all }) : null] as const);
  return Object.fromEntries(own);
}

/**
 * An example that a schema accepts, the same each time. `all` also fills optional fields, as responses do; an input contains the
 * required fields only. `name` is the field's name, which is more specific than its type.
 */
export function exampleOf(schema: JsonObject, { name = '', all = false }: { name?: string; all?: boolean } = {}): Json {
  if (schema.const !== undefined) return schema.const;
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined && !all) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null;
  const variants = [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  if (variants.length > 0) return exampleOf(variants.find((v) => v.type !== 'null') ?? {}, { name, all });
  const type = Array.isArray(schema.type) ? schema.type.find((t) => t !== 'null') : schema.type;
  switch (type) {
    case 'object':
      return objectExample(schema, all);
    case 'array':
      return isObject(schema.items) && Object.keys(schema.items).length > 0
        ? [exampleOf(schema.items, { name: name.replace(/s$|List$/, ''), all })]
        : [];
    case 'string':
      return textExample(name, schema);
    case 'integer':
    case 'number':
      return numberExample(name, schema);
    case 'boolean':
      return true;
    default:
      return null;
  }
}
