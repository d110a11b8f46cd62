/** A picture that a listing stores: uploaded, or a screenshot that is drawn for the demo market from a seed. */
export type StoredPicture = { key: string; width: number; height: number } | { art: string | number };

/** The main picture of a listing: a stored picture, or the cover drawn for a version of it. */
export type PictureItem = StoredPicture | { cover: string; v: string };
