/** Bus channel for changes of games, areas, fields or steps. */
export const CATALOGUE_CHANNEL = 'catalogue';
