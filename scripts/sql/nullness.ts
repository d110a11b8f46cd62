/** Says of a column of an analysed query whether it can be null, as far as the query and the schema tell. */
import type { Catalogue, PgFunction } from './catalogue.ts';
import { forcedBy, type Forced } from './forced.ts';
import { nodeAt, nodesAt, numberAt, type PgNode, flagAt, rowsAt, numberSetAt, textAt } from './nodes.ts';

/** `no`: never null. `yes`: null in data that the schema allows. `maybe`: neither can be known. */
export type Nullness = 'no' | 'yes' | 'maybe';

/** A query within its surroundings. */
interface Scope {
  query: PgNode;
  parent: Scope | undefined;
  forced: Forced;
  /** Common table expressions being analysed, so that a recursive one ends. */
  asking: Set<string>;
  /** Whether a row that a statement writes is read as it was before. */
  before?: boolean;
}

const worst = (all: readonly Nullness[]): Nullness =>
  all.includes('yes') ? 'yes' : all.includes('maybe') ? 'maybe' : 'no';
const best = (all: readonly Nullness[]): Nullness =>
  all.includes('no') ? 'no' : all.includes('maybe') ? 'maybe' : 'yes';

/** Functions of PostgreSQL that may give null for what is not null. */
const MAY_BE_NULL =
  /^(jsonb?_(object_field|array_element|extract_path|path_query|populate).*|regexp_match|regexp_substr|textregexsubstr|substring|array_(length|lower|upper|ndims|position|positions|dims)|to_reg.*|current_setting|pg_get_.*|obj_description|col_description|inet_.*|lower_inc|range_.*|nullif|jsonb_subscript.*|array_subscript.*|unnest|string_to_table|bpchar|current_schema|pg_stat_.*|pg_relation_.*|pg_last_.*|enum_range|json_typeof_null|jsonb_each.*|json_each.*|lower|upper)$/;
/** Functions that take nulls and never give one. */
const NEVER_NULL =
  /^(now|clock_timestamp|statement_timestamp|transaction_timestamp|concat|concat_ws|jsonb?_build_(object|array)|num_nulls|num_nonnulls|gen_random_uuid|uuidv7|uuidv4|random|quote_nullable|array_append|array_prepend|array_remove|pg_backend_pid|txid_current|pg_current_xact_id|version|current_database|generate_series|row_number|rank|dense_rank|percent_rank|cume_dist|ntile|count|regr_count|format)$/;

/** The ON CONFLICT action that updates the existing row. */
const DO_UPDATE = 2;

const STRICT_TEXT = new Set(['lower', 'upper']);

export class NullAnalysis {
  readonly #catalogue: Catalogue;
  readonly #nullable: readonly (boolean | undefined)[];

  /** `nullable` says for each parameter whether null may be handed over. */
  constructor(catalogue: Catalogue, nullable: readonly (boolean | undefined)[]) {
    this.#catalogue = catalogue;
    this.#nullable = nullable;
  }

  /** For each column that `query` returns: can it be null? */
  columns(query: PgNode): Nullness[] {
    const scope = this.#scope(query, undefined);
    return targets(query).map((_, index) => this.#column(scope, index));
  }

  #scope(query: PgNode, parent: Scope | undefined): Scope {
    const isStrict = (oid: number): boolean => this.#catalogue.function(oid)?.strict ?? false;
    return { query, parent, forced: forcedBy(query, isStrict), asking: parent?.asking ?? new Set() };
  }

  /** Column number `index` of a query, over all its branches when it is a union. */
  #column(scope: Scope, index: number): Nullness {
    const set = nodeAt(scope.query, 'setOperations');
    if (set) return this.#ofSet(set, scope, index);
    const target = targets(scope.query)[index];
    const expr = target && nodeAt(target, 'expr');
    return expr ? this.#of(expr, scope) : 'maybe';
  }

  #ofSet(set: PgNode, scope: Scope, index: number): Nullness {
    if (set.kind === 'RANGETBLREF') return this.#ofEntry(numberAt(set, 'rtindex'), index + 1, scope);
    const sides = [nodeAt(set, 'larg'), nodeAt(set, 'rarg')];
    // EXCEPT only removes rows of the left side.
    const counted = numberAt(set, 'op') === 3 ? sides.slice(0, 1) : sides;
    return worst(counted.flatMap((side) => (side ? [this.#ofSet(side, scope, index)] : [])));
  }

  #all(nodes: readonly PgNode[], scope: Scope): Nullness[] {
    return nodes.map((node) => this.#of(node, scope));
  }

  #of(node: PgNode, scope: Scope): Nullness {
    switch (node.kind) {
      case 'VAR':
        return this.#ofVar(node, scope);
      case 'CONST':
        return flagAt(node, 'constisnull') ? 'yes' : 'no';
      case 'PARAM':
        return this.#ofParameter(node);
      case 'FUNCEXPR':
        return this.#ofFunction(this.#catalogue.function(numberAt(node, 'funcid')), nodesAt(node, 'args'), scope);
      case 'OPEXPR':
        return this.#ofFunction(this.#catalogue.function(numberAt(node, 'opfuncid')), nodesAt(node, 'args'), scope);
      case 'AGGREF':
        return this.#ofAggregate(node, scope);
      case 'WINDOWFUNC':
        return this.#ofWindow(node, scope);
      case 'COALESCEEXPR':
      case 'COALESCE':
        return this.#ofCoalesce(nodesAt(node, 'args'), scope);
      case 'MINMAXEXPR':
      case 'MINMAX':
        return best(this.#all(nodesAt(node, 'args'), scope));
      case 'CASEEXPR':
      case 'CASE':
        return this.#ofCase(node, scope);
      case 'SUBLINK':
        return this.#ofSubquery(node, scope);
      default:
        return this.#ofPlain(node, scope);
    }
  }

  /** Nodes with the result of their parts, or always the same result. */
  #ofPlain(node: PgNode, scope: Scope): Nullness {
    switch (node.kind) {
      case 'NULLTEST':
      case 'BOOLEANTEST':
      case 'DISTINCTEXPR':
      case 'ARRAYEXPR':
      case 'ARRAY':
      case 'ROWEXPR':
      case 'ROW':
      case 'SQLVALUEFUNCTION':
      case 'GROUPINGFUNC':
      case 'JSONCONSTRUCTOREXPR':
        return 'no';
      case 'NULLIFEXPR':
      case 'RETURNINGEXPR':
        return 'yes';
      case 'RELABELTYPE':
      case 'COERCEVIAIO':
      case 'ARRAYCOERCEEXPR':
      case 'COLLATEEXPR':
      case 'COLLATE':
      case 'COERCETODOMAIN':
      case 'CONVERTROWTYPEEXPR':
      case 'NAMEDARGEXPR': {
        const arg = nodeAt(node, 'arg');
        return arg ? this.#of(arg, scope) : 'maybe';
      }
      case 'BOOLEXPR':
      case 'SCALARARRAYOPEXPR':
        return worst(this.#all(nodesAt(node, 'args'), scope));
      default:
        return 'maybe';
    }
  }

  #ofCoalesce(args: readonly PgNode[], scope: Scope): Nullness {
    const found = best(this.#all(args, scope));
    if (found !== 'yes') return found;
    const [first, second] = args;
    if (first?.kind !== 'VAR' || second?.kind !== 'VAR') return found;
    // Of a full join one side is always there.
    const joins = numberSetAt(first, 'varnullingrels').filter((join) =>
      numberSetAt(second, 'varnullingrels').includes(join),
    );
    const FULL = 2;
    const entries = nodesAt(scope.query, 'rtable');
    const isFull = joins.some((join) => numberAt(entries[join - 1] ?? first, 'jointype') === FULL);
    if (!isFull) return found;
    return worst(
      [first, second].map((side) => this.#ofEntry(numberAt(side, 'varno'), numberAt(side, 'varattno'), scope)),
    );
  }

  #ofParameter(node: PgNode): Nullness {
    const nullable = this.#nullable[numberAt(node, 'paramid') - 1];
    if (nullable === undefined) return 'maybe';
    return nullable ? 'yes' : 'no';
  }

  #ofFunction(fn: PgFunction | undefined, args: readonly PgNode[], scope: Scope): Nullness {
    if (!fn) return 'maybe';
    if (fn.builtin && NEVER_NULL.test(fn.name)) return 'no';
    const all = this.#all(args, scope);
    if (fn.strict && all.includes('yes')) return 'yes';
    if (!fn.builtin || !fn.strict) return 'maybe';
    if (MAY_BE_NULL.test(fn.name) && !(STRICT_TEXT.has(fn.name) && args.length === 1)) return 'maybe';
    return worst(all);
  }

  #ofAggregate(node: PgNode, scope: Scope): Nullness {
    const owner = up(scope, numberAt(node, 'agglevelsup'));
    const name = this.#catalogue.function(numberAt(node, 'aggfnoid'))?.name ?? '';
    if (NEVER_NULL.test(name)) return 'no';
    if (!owner) return 'maybe';
    const isGrouped = Array.isArray(owner.query.fields.get('groupClause'));
    const hasSets = hasNamedSets(owner.query);
    if (!hasSets && Array.isArray(owner.query.fields.get('groupingSets'))) return 'yes';
    if (nodeAt(node, 'aggfilter')) return 'yes';
    if (!isGrouped && !hasSets) return nodeAt(owner.query, 'havingQual') ? 'maybe' : 'yes';
    if (/^(array_agg|jsonb?_agg|jsonb?_object_agg)$/.test(name)) return 'no';
    if (textAt(node, 'aggkind') !== 'n') return 'maybe';
    return worst(nodesAt(node, 'args').map((target) => this.#of(nodeAt(target, 'expr') ?? target, scope)));
  }

  #ofWindow(node: PgNode, scope: Scope): Nullness {
    const name = this.#catalogue.function(numberAt(node, 'winfnoid'))?.name ?? '';
    if (NEVER_NULL.test(name)) return 'no';
    const args = nodesAt(node, 'args');
    if (name === 'lag' || name === 'lead') return args.length > 2 ? worst(this.#all(args, scope)) : 'yes';
    if (nodeAt(node, 'aggfilter')) return 'yes';
    return worst(this.#all(args, scope)) === 'yes' ? 'yes' : 'maybe';
  }

  #ofCase(node: PgNode, scope: Scope): Nullness {
    const results = nodesAt(node, 'args').map((when) => {
      const result = nodeAt(when, 'result');
      if (!result) return 'maybe';
      const isStrict = (oid: number): boolean => this.#catalogue.function(oid)?.strict ?? false;
      const forced = scope.forced.and(nodeAt(when, 'expr'), isStrict);
      return this.#of(result, { ...scope, forced });
    });
    const rest = nodeAt(node, 'defresult');
    return worst([...results, rest ? this.#of(rest, scope) : 'yes']);
  }

  #ofSubquery(node: PgNode, scope: Scope): Nullness {
    const type = numberAt(node, 'subLinkType');
    const query = nodeAt(node, 'subselect');
    if (type === 0 || type === 6) return 'no';
    if (type !== 4 || !query) return 'maybe';
    const inner = this.#scope(query, scope);
    const value = this.#column(inner, 0);
    if (value !== 'no') return value;
    return isOneRow(query) ? 'no' : 'maybe';
  }

  #ofVar(node: PgNode, at: Scope): Nullness {
    const scope = up(at, numberAt(node, 'varlevelsup'));
    if (!scope) return 'maybe';
    const entry = numberAt(node, 'varno');
    const column = numberAt(node, 'varattno');
    if (numberAt(node, 'varreturningtype') !== 0) return 'maybe';
    const written = scope.before ? undefined : this.#ofWritten(entry, column, scope);
    if (written) return written;
    if (scope.forced.has(entry, column)) return 'no';
    const outer = numberSetAt(node, 'varnullingrels').filter((join) => !scope.forced.isInner(join));
    if (outer.length > 0) return 'yes';
    if (column === 0) return 'no';
    return this.#ofEntry(entry, column, scope);
  }

  /** Nullness of the value that the statement has just written into the column; undefined when it writes another or none. */
  #ofWritten(entry: number, column: number, scope: Scope): Nullness | undefined {
    const command = numberAt(scope.query, 'commandType');
    if (command === 1 || entry !== numberAt(scope.query, 'resultRelation')) return undefined;
    const conflict = nodeAt(scope.query, 'onConflict');
    if (conflict && numberAt(conflict, 'action') === DO_UPDATE) return undefined;
    const target = nodesAt(scope.query, 'targetList').find((one) => numberAt(one, 'resno') === column);
    const expr = target && nodeAt(target, 'expr');
    if (!expr) return undefined;
    const value = this.#of(expr, { ...scope, before: true });
    return value === 'yes' ? this.#ofEntry(entry, column, scope) : value;
  }

  #ofEntry(entry: number, column: number, scope: Scope): Nullness {
    const rte = nodesAt(scope.query, 'rtable')[entry - 1];
    if (!rte) return 'maybe';
    switch (numberAt(rte, 'rtekind')) {
      case 0: {
        const table = numberAt(rte, 'relid');
        if (this.#catalogue.isNotNull(table, column)) return 'no';
        return this.#catalogue.table(table) === undefined ? 'maybe' : 'yes';
      }
      case 1: {
        const query = nodeAt(rte, 'subquery');
        return query ? this.#column(this.#scope(query, scope), column - 1) : 'maybe';
      }
      case 2:
        return this.#partOf(nodesAt(rte, 'joinaliasvars'), column, scope);
      case 5:
        return worst(rowsAt(rte, 'values_lists').map((row) => this.#partOf(row, column, scope)));
      case 6:
        return this.#ofCommon(rte, column, scope);
      case 9:
        return this.#partOf(nodesAt(rte, 'groupexprs'), column, scope);
      case 3:
        return this.#ofFunctionRows(rte, column, scope);
      default:
        return 'maybe';
    }
  }

  #partOf(nodes: readonly PgNode[], column: number, scope: Scope): Nullness {
    const node = nodes[column - 1];
    return node ? this.#of(node, scope) : 'maybe';
  }

  #ofFunctionRows(rte: PgNode, column: number, scope: Scope): Nullness {
    const [first] = nodesAt(rte, 'functions');
    const expr = first && nodeAt(first, 'funcexpr');
    if (!first || !expr) return 'maybe';
    if (column > numberAt(first, 'funccolcount')) return flagAt(rte, 'funcordinality') ? 'no' : 'maybe';
    return numberAt(first, 'funccolcount') === 1 && this.#of(expr, scope) === 'no' ? 'no' : 'maybe';
  }

  #ofCommon(rte: PgNode, column: number, scope: Scope): Nullness {
    const name = textAt(rte, 'ctename');
    const owner = up(scope, numberAt(rte, 'ctelevelsup'));
    const common = owner && nodesAt(owner.query, 'cteList').find((one) => textAt(one, 'ctename') === name);
    const query = common && nodeAt(common, 'ctequery');
    if (!owner || !query) return 'maybe';
    // Within a recursive query its own rows add nothing that its first branch does not say.
    const key = `${name} ${column}`;
    if (owner.asking.has(key)) return 'no';
    owner.asking.add(key);
    try {
      return this.#column(this.#scope(query, owner), column - 1);
    } finally {
      owner.asking.delete(key);
    }
  }
}

/** Whether a query groups by sets none of which is the empty one, so that each group has rows. */
function hasNamedSets(query: PgNode): boolean {
  const [sets] = nodesAt(query, 'groupingSets');
  const SETS = 4;
  const SIMPLE = 1;
  if (!sets) return false;
  if (numberAt(sets, 'kind') === SIMPLE) return true;
  return numberAt(sets, 'kind') === SETS && nodesAt(sets, 'content').every((one) => numberAt(one, 'kind') === SIMPLE);
}

function up(scope: Scope, levels: number): Scope | undefined {
  let at: Scope | undefined = scope;
  for (let level = 0; level < levels; level++) at = at?.parent;
  return at;
}

/** Whether a query gives one row whatever the tables hold. */
function isOneRow(query: PgNode): boolean {
  if (nodeAt(query, 'limitOffset') || nodeAt(query, 'havingQual') || nodeAt(query, 'setOperations')) return false;
  if (flagAt(query, 'hasAggs') && !Array.isArray(query.fields.get('groupClause'))) return true;
  const from = nodeAt(query, 'jointree');
  return from !== undefined && nodesAt(from, 'fromlist').length === 0 && !nodeAt(from, 'quals');
}

/** The columns that a statement returns. */
export function targets(query: PgNode): PgNode[] {
  const field = numberAt(query, 'commandType') === 1 ? 'targetList' : 'returningList';
  return nodesAt(query, field).filter((target) => !flagAt(target, 'resjunk'));
}
