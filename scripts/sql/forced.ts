/** Which columns the conditions of a query keep from being null. */
import { flagAt, nodeAt, nodesAt, numberAt, type PgNode, numberSetAt } from './nodes.ts';

type IsStrict = (functionOid: number) => boolean;

const AND = 'and';
const OR = 'or';
const NOT = 'not';

/** Columns (`entry.column`) and outer joins (`join`) that a condition needs to be there. */
type Facts = ReadonlySet<string>;

const NOTHING: Facts = new Set();

const united = (sets: readonly Facts[]): Facts => new Set(sets.flatMap((set) => [...set]));

function shared(sets: readonly Facts[]): Facts {
  const [first, ...rest] = sets;
  return new Set([...(first ?? [])].filter((one) => rest.every((set) => set.has(one))));
}

/** Columns that must not be null for `node` not to be null. */
function neededBy(node: PgNode | undefined, isStrict: IsStrict): Facts {
  if (!node) return NOTHING;
  switch (node.kind) {
    case 'VAR':
      if (numberAt(node, 'varlevelsup') > 0) return NOTHING;
      return new Set([
        `${numberAt(node, 'varno')}.${numberAt(node, 'varattno')}`,
        ...numberSetAt(node, 'varnullingrels').map((join) => `join ${join}`),
      ]);
    case 'FUNCEXPR':
      return isStrict(numberAt(node, 'funcid')) ? ofAll(nodesAt(node, 'args'), isStrict) : NOTHING;
    case 'OPEXPR':
      return isStrict(numberAt(node, 'opfuncid')) ? ofAll(nodesAt(node, 'args'), isStrict) : NOTHING;
    case 'SCALARARRAYOPEXPR':
      return neededBy(nodesAt(node, 'args')[0], isStrict);
    case 'RELABELTYPE':
    case 'COERCEVIAIO':
    case 'COLLATEEXPR':
    case 'COLLATE':
    case 'COERCETODOMAIN':
      return neededBy(nodeAt(node, 'arg'), isStrict);
    default:
      return NOTHING;
  }
}

const ofAll = (nodes: readonly PgNode[], isStrict: IsStrict): Facts =>
  united(nodes.map((node) => neededBy(node, isStrict)));

/** Columns that cannot be null where `node` is true. */
function trueMeans(node: PgNode | undefined, isStrict: IsStrict): Facts {
  if (!node) return NOTHING;
  const args = (): readonly PgNode[] => nodesAt(node, 'args');
  switch (node.kind) {
    case 'BOOLEXPR': {
      const operator = node.fields.get('boolop');
      if (operator === AND) return united(args().map((arg) => trueMeans(arg, isStrict)));
      if (operator === OR) return shared(args().map((arg) => trueMeans(arg, isStrict)));
      return operator === NOT ? falseMeans(args()[0], isStrict) : NOTHING;
    }
    case 'NULLTEST':
      return numberAt(node, 'nulltesttype') === 1 && !flagAt(node, 'argisrow')
        ? neededBy(nodeAt(node, 'arg'), isStrict)
        : NOTHING;
    case 'BOOLEANTEST':
      return numberAt(node, 'booltesttype') === 0 ? trueMeans(nodeAt(node, 'arg'), isStrict) : NOTHING;
    case 'ROWCOMPAREEXPR':
    case 'ROWCOMPARE':
      return neededBy(nodesAt(node, 'largs')[0], isStrict);
    case 'SUBLINK':
      return numberAt(node, 'subLinkType') === 2 ? neededBy(nodeAt(node, 'testexpr'), isStrict) : NOTHING;
    default:
      return neededBy(node, isStrict);
  }
}

function falseMeans(node: PgNode | undefined, isStrict: IsStrict): Facts {
  if (!node) return NOTHING;
  if (node.kind === 'NULLTEST')
    return numberAt(node, 'nulltesttype') === 0 ? neededBy(nodeAt(node, 'arg'), isStrict) : NOTHING;
  if (node.kind !== 'BOOLEXPR') return neededBy(node, isStrict);
  const sides = nodesAt(node, 'args').map((arg) => falseMeans(arg, isStrict));
  const operator = node.fields.get('boolop');
  if (operator === OR) return united(sides);
  return operator === AND ? shared(sides) : NOTHING;
}

const INNER = 0;
const LEFT = 1;
const RIGHT = 3;

/** Returns the facts that hold for every row that leaves `from`, by its own conditions and those of its inner joins. */
function keptBy(from: PgNode | undefined, isStrict: IsStrict): Facts {
  if (!from) return NOTHING;
  if (from.kind === 'FROMEXPR')
    return united([
      trueMeans(nodeAt(from, 'quals'), isStrict),
      ...nodesAt(from, 'fromlist').map((one) => keptBy(one, isStrict)),
    ]);
  if (from.kind !== 'JOINEXPR') return NOTHING;
  const type = numberAt(from, 'jointype');
  const left = (): Facts => keptBy(nodeAt(from, 'larg'), isStrict);
  const right = (): Facts => keptBy(nodeAt(from, 'rarg'), isStrict);
  if (type === INNER) return united([left(), right(), trueMeans(nodeAt(from, 'quals'), isStrict)]);
  if (type === LEFT) return left();
  return type === RIGHT ? right() : NOTHING;
}

/** The columns of one query that its conditions keep from being null. */
export class Forced {
  readonly #facts: Facts;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  has(entry: number, column: number): boolean {
    return this.#facts.has(`${entry}.${column}`);
  }

  /** Whether a condition drops the rows for which this outer join found nothing. */
  isInner(join: number): boolean {
    return this.#facts.has(`join ${join}`);
  }

  /** The same where `condition` holds as well. */
  and(condition: PgNode | undefined, isStrict: IsStrict): Forced {
    return new Forced(united([this.#facts, trueMeans(condition, isStrict)]));
  }
}

export const forcedBy = (query: PgNode, isStrict: IsStrict): Forced =>
  new Forced(keptBy(nodeAt(query, 'jointree'), isStrict));
