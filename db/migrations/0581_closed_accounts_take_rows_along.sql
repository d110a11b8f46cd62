-- Who closes an account takes along what rows of stock lists say of his game accounts.
grant update (cells) on import_row to youshi_app;
