/** As much of OpenSearch as the adapter uses, in memory: indexes, bulk, search by filters and numbers, counts, aliases. */
import { type FakeReply, type FakeRequest, FakeServer } from './fake-server.ts';

type Document = Record<string, unknown> & { id: number; words: string[] };
type Clause = Record<string, Record<string, unknown>>;

const json = (status: number, body: unknown): FakeReply => ({ status, body: JSON.stringify(body) });

const WHOLE = { total: 1, successful: 1, failed: 0 };

interface Bool {
  filter?: Clause[];
  should?: Clause[];
  minimum_should_match?: number;
}

/** Whether a document matches a clause. Throws on one that OpenSearch has and this does not. */
function matches(document: Document, clause: Clause): boolean {
  const [[kind, body] = ['', {}]] = Object.entries(clause);
  if (kind === 'bool') {
    const { filter = [], should = [], minimum_should_match: needed = 0 } = body as Bool;
    return (
      filter.every((one) => matches(document, one)) && should.filter((one) => matches(document, one)).length >= needed
    );
  }
  const [[field, value] = ['', undefined]] = Object.entries(body);
  if (kind === 'term') return document.words.includes(String(value));
  if (kind === 'prefix') return document.words.some((word) => word.startsWith(String(value)));
  if (kind === 'terms') return (value as number[]).includes(document[field] as number);
  if (kind === 'range') {
    const { gte = -Infinity, lte = Infinity } = value as { gte?: number; lte?: number };
    const number = document[field];
    return typeof number === 'number' && number >= gte && number <= lte;
  }
  throw new Error(`the fake knows no ${kind}`);
}

interface SearchBody {
  query: Clause;
  sort: Record<string, 'asc' | 'desc'>[];
  search_after?: number[];
  from?: number;
  size: number;
  track_total_hits: number | false;
}

function search(documents: Iterable<Document>, body: SearchBody): FakeReply {
  const order = body.sort.flatMap((one) => Object.entries(one));
  const keysOf = (document: Document): number[] => order.map(([field]) => Number(document[field]));
  const compare = (a: number[], b: number[]): number => {
    const at = a.findIndex((value, i) => value !== b[i]);
    return at < 0 ? 0 : ((a[at] ?? 0) - (b[at] ?? 0)) * (order[at]?.[1] === 'desc' ? -1 : 1);
  };
  const all = [...documents]
    .filter((document) => matches(document, body.query))
    .map(keysOf)
    .toSorted(compare);
  const { search_after: after, from = 0, size, track_total_hits: counted } = body;
  const rest = after === undefined ? all : all.filter((keys) => compare(keys, after) > 0);
  return json(200, {
    timed_out: false,
    _shards: WHOLE,
    hits: {
      ...(counted !== false && { total: { value: Math.min(all.length, counted) } }),
      hits: rest.slice(from, from + size).map((sort) => ({ sort })),
    },
  });
}

export class FakeOpenSearch extends FakeServer {
  readonly indexes = new Map<string, Map<string, Document>>();
  readonly aliases = new Map<string, Set<string>>();
  /** The Authorization header of the last request. */
  authorization: string | undefined;

  protected nameOf({ method, url }: FakeRequest): string {
    return `${method} ${url.pathname}`;
  }

  protected respond({ method, url, headers, body }: FakeRequest): FakeReply {
    this.authorization = headers.authorization;
    const [name = '', action = ''] = url.pathname.slice(1).split('/');
    if (name === '_bulk') return this.#bulk(body.toString());
    if (name === '_aliases') return this.#alias(JSON.parse(body.toString()));
    if (name === '_alias') return this.#holders((index) => this.aliases.get(action)?.has(index) === true, 404);
    if (action === '_alias') return this.#holders((index) => index.startsWith(name.replace(/\*$/, '')), 200);
    if (method === 'PUT') {
      if (this.indexes.has(name)) return json(400, { error: { type: 'resource_already_exists_exception' } });
      this.indexes.set(name, new Map());
      return json(200, { acknowledged: true });
    }
    const index = this.indexes.get(name);
    if (!index) return json(404, { error: { type: 'index_not_found_exception' } });
    if (method === 'HEAD') return { status: 200, body: '' };
    if (method === 'DELETE') {
      this.indexes.delete(name);
      for (const named of this.aliases.values()) named.delete(name);
      return json(200, { acknowledged: true });
    }
    if (action === '_refresh') return json(200, { _shards: WHOLE });
    if (action === '_count') return json(200, { count: index.size, _shards: WHOLE });
    return search(index.values(), JSON.parse(body.toString()) as SearchBody);
  }

  #bulk(text: string): FakeReply {
    const lines = text.trimEnd().split('\n');
    const items: unknown[] = [];
    for (let i = 0; i < lines.length; i++) {
      const line = JSON.parse(lines[i] ?? '') as Record<string, { _index: string; _id: string }>;
      const [[action, { _index: name, _id: id }] = ['', { _index: '', _id: '' }]] = Object.entries(line);
      const index = this.indexes.get(name);
      if (action === 'delete') items.push({ delete: { status: index?.delete(id) === true ? 200 : 404 } });
      else {
        const document = JSON.parse(lines[++i] ?? '') as Document;
        index?.set(id, document);
        items.push({ index: { status: index ? 201 : 404 } });
      }
    }
    return json(200, { errors: JSON.stringify(items).includes('404'), items });
  }

  /** The indexes that `isMeant`, each with its aliases; `noneStatus` where there is none. */
  #holders(isMeant: (index: string) => boolean, noneStatus: number): FakeReply {
    const found = [...this.indexes.keys()].filter(isMeant).map((index) => {
      const names = [...this.aliases].flatMap(([alias, named]) => (named.has(index) ? [[alias, {}]] : []));
      return [index, { aliases: Object.fromEntries(names) }];
    });
    return json(found.length === 0 ? noneStatus : 200, Object.fromEntries(found));
  }

  #alias({ actions }: { actions: Record<string, { index: string; alias: string }>[] }): FakeReply {
    for (const one of actions)
      for (const [action, { index, alias }] of Object.entries(one)) {
        const named = this.aliases.get(alias) ?? new Set();
        this.aliases.set(alias, named);
        if (action === 'add') named.add(index);
        else named.delete(index);
      }
    return json(200, { acknowledged: true });
  }
}
