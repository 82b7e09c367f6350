BEGIN TRANSACTION;
CREATE TABLE jobs(
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
    folder TEXT NOT NULL, name TEXT NOT NULL, state TEXT NOT NULL, tries INTEGER NOT NULL,
    message TEXT NOT NULL, since_ms INTEGER NOT NULL, seconds REAL NOT NULL,
    pixels INTEGER NOT NULL, pixels_done INTEGER NOT NULL, plates TEXT NOT NULL,
    report TEXT NOT NULL, digest TEXT NOT NULL, files TEXT NOT NULL);
INSERT INTO "jobs" VALUES(1,'20261122-091410-f536ffd5cdffc763','FOLDER/pages/hot','first','done',1,'',1795338850683,0.219311361,384,384,'[{"coverage_percent":60.416666666666664,"ink":"black","path":"FOLDER/pages/hot/plates/first_black.tif"}]','FOLDER/pages/hot/reports/20261122-091410-f536ffd5cdffc763/report.html','184c28be503be0786c3f6fca5638784e','[]');
CREATE TABLE paused(folder TEXT PRIMARY KEY);
CREATE INDEX by_content ON jobs(digest, folder) WHERE digest <> '';
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('jobs',1);
COMMIT;
PRAGMA user_version=1;
