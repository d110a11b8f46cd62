export { reindexGoods } from './reindex.ts';
